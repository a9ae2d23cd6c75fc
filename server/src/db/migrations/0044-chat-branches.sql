-- What was said before a message; NULL for the first of a chat. Messages after the same one are branches.
ALTER TABLE chat_messages ADD COLUMN parent_id uuid;
ALTER TABLE chat_messages ADD UNIQUE (chat_id, id);
-- The end of the branch that the person has chosen; NULL before the first message.
ALTER TABLE chats ADD COLUMN leaf_id uuid;

UPDATE chat_messages message SET parent_id = earlier.id
FROM (
  SELECT id AS message_id, lag(id) OVER (PARTITION BY chat_id ORDER BY created_at, is_user DESC) AS id
  FROM chat_messages
) earlier
WHERE earlier.message_id = message.id AND earlier.id IS NOT NULL;

UPDATE chats SET leaf_id = (
  SELECT id FROM chat_messages WHERE chat_id = chats.id ORDER BY created_at DESC, is_user LIMIT 1
);

-- Deferred: an answer is written before its question, so that only one of two calls writes any.
ALTER TABLE chat_messages ADD FOREIGN KEY (chat_id, parent_id) REFERENCES chat_messages (chat_id, id)
  DEFERRABLE INITIALLY DEFERRED;

-- Pictures that a person has shown to a model.
CREATE TABLE chat_images (
  id uuid PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  message_id uuid NOT NULL REFERENCES chat_messages ON DELETE CASCADE,
  name text NOT NULL,
  media_type text NOT NULL,
  -- NULL where the tenant does not keep prompts in full.
  bytes bytea
);
CREATE INDEX chat_images_message ON chat_images (tenant_id, message_id);
-- They are compressed already.
ALTER TABLE chat_images ALTER COLUMN bytes SET STORAGE EXTERNAL;
ALTER TABLE chat_images ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON chat_images TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT ON chat_images TO sluice_tenant;
