"""The experts of the troubleshooter (PEOA's M_t), one file each; none of them knows another, nor the graph."""
