"""Study 4: queries versus depth (Yilmaz and Robertson 2009)."""
