-- A person's chats. Each answer is a request of theirs with a row in the log.
CREATE TABLE chats (
  id uuid PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  -- What it works for; NULL for administrators alone.
  task_id integer,
  -- Empty until the first message gives it one.
  title text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  archived_at timestamptz,
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX chats_user ON chats (tenant_id, user_id, updated_at DESC) WHERE archived_at IS NULL;

CREATE TABLE chat_messages (
  id uuid PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  chat_id uuid NOT NULL,
  is_user boolean NOT NULL,
  content text NOT NULL,
  -- Of an answer: what was asked, and how it stands.
  model text,
  status text NOT NULL DEFAULT 'completed' CHECK (status IN ('pending', 'completed', 'stopped', 'failed')),
  error_message text,
  -- Of its row in the log. What stands there of cost and tokens is copied here, since the log forgets sooner.
  request_id uuid,
  tokens_used integer,
  cost_nano_usd bigint,
  intent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the node that writes a pending answer last said that it lives.
  written_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (tenant_id, chat_id) REFERENCES chats (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX chat_messages_chat ON chat_messages (tenant_id, chat_id, id);
-- One answer at a time in a chat.
CREATE UNIQUE INDEX chat_messages_pending ON chat_messages (chat_id) WHERE status = 'pending';
-- What a job looks for: answers whose log row came late.
CREATE INDEX chat_messages_open ON chat_messages (created_at) WHERE tokens_used IS NULL AND NOT is_user;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['chats', 'chat_messages'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO sluice_tenant', name);
  END LOOP;
END $$;
-- What was refused before it was sent is taken back.
GRANT DELETE ON chat_messages TO sluice_tenant;
