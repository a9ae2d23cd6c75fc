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
CREATE INDEX task_assignments_task ON task_assignments (task_id, id DESC);

-- What an active assignment may use is its task's limit; what it has used stays counted when it ends and begins again.
-- The definer's rights, since who may assign a task may not change an allowance.
CREATE FUNCTION allow_task_tokens() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- The share lock makes a limit that is being changed wait, or this wait for it.
  INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount)
  SELECT NEW.tenant_id, 'task_tokens', NEW.id, '-infinity', token_limit FROM tasks WHERE id = NEW.task_id FOR SHARE
  ON CONFLICT (kind, subject_id, window_start) DO UPDATE SET limit_amount = EXCLUDED.limit_amount;
  RETURN NULL;
END $$;

CREATE TRIGGER task_assignments_allow AFTER INSERT OR UPDATE OF status ON task_assignments
  FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION allow_task_tokens();

-- A changed limit of a task holds at once for everybody who works on it.
CREATE FUNCTION apply_task_limit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  running record;
BEGIN
  -- One by one in the order of ids, as all who lock several allowances do.
  FOR running IN
    SELECT allowances.id FROM allowances JOIN task_assignments ON task_assignments.id = subject_id
    WHERE kind = 'task_tokens' AND task_id = NEW.id AND status = 'active'
      AND limit_amount IS DISTINCT FROM NEW.token_limit
    ORDER BY allowances.id FOR NO KEY UPDATE OF allowances
  LOOP
    UPDATE allowances SET limit_amount = NEW.token_limit WHERE id = running.id;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER tasks_apply_limit AFTER UPDATE OF token_limit ON tasks
  FOR EACH ROW EXECUTE FUNCTION apply_task_limit();

-- How many requests have taken from an allowance, and when the last one was booked.
ALTER TABLE allowances
  ADD COLUMN requests bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_used_at timestamptz;
