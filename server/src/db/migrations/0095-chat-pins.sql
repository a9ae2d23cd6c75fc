-- Pinned chats are listed before all others, the latest pin first.
ALTER TABLE chats ADD COLUMN pinned_at timestamptz;
