-- What every table of tenants that nodes mirror has: row-level security, its stamp, its announcements.
CREATE FUNCTION make_tenant_table(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE INDEX %I ON %I (changed_at)', name || '_changed', name);
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', name);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sluice_tenant', name);
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %I FOR EACH ROW EXECUTE FUNCTION stamp_change()', name || '_stamp', name);
  EXECUTE format('CREATE TRIGGER %I AFTER INSERT OR DELETE OR UPDATE ON %I FOR EACH ROW EXECUTE FUNCTION announce_change()', name || '_announce', name);
END $$;
REVOKE EXECUTE ON FUNCTION make_tenant_table(text) FROM PUBLIC;

-- What people are to work on. A deleted task stays for the history of its assignments and requests.
CREATE TABLE tasks (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  title text NOT NULL,
  description text NOT NULL,
  category text NOT NULL CHECK (category IN ('coding', 'testing', 'documentation', 'research', 'other')),
  difficulty_level text NOT NULL CHECK (difficulty_level IN ('beginner', 'intermediate', 'advanced')),
  estimated_hours double precision NOT NULL,
  -- Counts per assignment; NULL is unlimited, as for API access tasks.
  token_limit bigint CHECK (token_limit >= 0),
  max_tokens_per_request integer CHECK (max_tokens_per_request >= 0),
  is_active boolean NOT NULL DEFAULT true,
  -- The task that one person's API requests work for when they name none.
  is_dummy_task boolean NOT NULL DEFAULT false,
  user_id integer,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id),
  CHECK (is_dummy_task = (user_id IS NOT NULL)),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE UNIQUE INDEX tasks_one_api_access ON tasks (user_id) WHERE is_dummy_task AND is_active AND deleted_at IS NULL;

CREATE TABLE task_assignments (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  task_id integer NOT NULL,
  user_id integer NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'cancelled')),
  progress_notes text NOT NULL DEFAULT '',
  assigned_by integer,
  assigned_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id),
  CHECK ((status = 'active') = (ended_at IS NULL)),
  FOREIGN KEY (tenant_id, task_id) REFERENCES tasks (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE UNIQUE INDEX task_assignments_one_active ON task_assignments (task_id, user_id) WHERE status = 'active';
CREATE INDEX task_assignments_user ON task_assignments (user_id, id DESC);

SELECT make_tenant_table('tasks'), make_tenant_table('task_assignments');
