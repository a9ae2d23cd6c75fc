-- A refusal that requests of one user have shown applies to that user only, since the user may have provoked it; shown by
-- a second user, it applies to the organization. Rows of the previous release name no user and are ignored.
ALTER TABLE provider_refusals
  ADD COLUMN user_id integer REFERENCES users ON DELETE CASCADE,
  ADD COLUMN is_confirmed boolean NOT NULL DEFAULT false;
CREATE INDEX provider_refusals_user ON provider_refusals (user_id);
