-- The keys of hashes (API keys, links), which outlive the secret they came from; NULL until a secret is replaced.
ALTER TABLE installation ADD COLUMN sealed_hash_keys bytea;

-- Which secrets each worker holds, and which of them it writes with, by their checks.
CREATE TABLE secret_holders (
  id uuid PRIMARY KEY,
  secret_checks bytea[] NOT NULL,
  writes_with bytea NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);
