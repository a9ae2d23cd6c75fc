-- A session is alive while its version is its person's, so that one change of the person ends all of them.
ALTER TABLE sessions
  ADD COLUMN token_version integer NOT NULL DEFAULT 1,
  ADD COLUMN last_used_at timestamptz;
UPDATE sessions SET token_version = users.token_version FROM users WHERE users.id = sessions.user_id;
CREATE INDEX sessions_expires ON sessions (expires_at);
