-- What requests of a node used beyond what they held, so that the node knows how much of it is settled already.
ALTER TABLE leases ADD COLUMN overrun bigint NOT NULL DEFAULT 0;
