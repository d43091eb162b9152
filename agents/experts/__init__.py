"""The experts of the troubleshooter (PEOA's M_t), one file each; they import neither each other nor the graph."""
