"""Study 3: what makes data robust (Niu, Lan, Guo, Cheng and Geng 2014)."""
