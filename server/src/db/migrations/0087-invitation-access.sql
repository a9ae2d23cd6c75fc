-- What the account can do from the start: limits, task, team and models, as in the request that created the invitation.
ALTER TABLE invitations ADD COLUMN access jsonb NOT NULL DEFAULT '{}';
SELECT audit_table('invitations', 'invitation');
SELECT watch_bound('invitations');
