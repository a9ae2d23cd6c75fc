-- The body of a request repeats its prompt, which stands beside it: compressed with that at hand it takes some hundred
-- bytes. Nodes of 0.1.0 go on writing `request_body`.
ALTER TABLE request_log_bodies ADD COLUMN request_body_zstd bytea;
