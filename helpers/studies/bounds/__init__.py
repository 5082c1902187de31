"""Study 2: ceilings under disagreement (Metrikov, Pavlu and Aslam 2012)."""
