"""An experiment and how it is carried out: the only joint of the two towers."""
