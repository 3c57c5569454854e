//! How long a collective takes on a group of ranks placed on the cluster.
