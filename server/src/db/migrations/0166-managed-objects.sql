-- Objects that a configuration file manages. The console and the API may not change them.
CREATE TABLE managed_objects (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  kind text NOT NULL,
  -- Id of the object's row, or of the tenant for kinds that a tenant has once.
  object_id integer NOT NULL,
  name text NOT NULL,
  -- Path that was passed to `sluice apply`.
  file text NOT NULL,
  managed_since timestamptz NOT NULL DEFAULT now(),
  UNIQUE (kind, object_id)
);
CREATE INDEX managed_objects_tenant ON managed_objects (tenant_id);
ALTER TABLE managed_objects ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON managed_objects TO sluice_tenant USING (tenant_id = current_tenant());
GRANT SELECT ON managed_objects TO sluice_tenant;

-- Arguments: the column with the id of the object, then the kinds of the object. Transactions of the product itself, which
-- have no action, sign-ins, which map roles and teams, and subscriptions, which set the plan, are not edits of the object.
CREATE FUNCTION keep_managed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  object managed_objects;
  object_id_of_row integer := (to_jsonb(OLD) ->> TG_ARGV[0])::integer;
BEGIN
  IF coalesce(current_setting('app.applied_file', true), '') <> ''
    OR coalesce(current_setting('app.action', true), '') IN ('', 'finishSignIn', 'changeSubscription', 'paySubscription',
      'cancelSubscription', 'changeTenantSubscription', 'cancelTenantSubscription', 'retryFailedWebhooks') THEN
    IF TG_OP = 'DELETE' THEN
      DELETE FROM managed_objects m WHERE m.kind = ANY (TG_ARGV) AND m.object_id = object_id_of_row;
      RETURN OLD;
    END IF;
    RETURN NEW;
  END IF;
  SELECT * INTO object FROM managed_objects m WHERE m.kind = ANY (TG_ARGV) AND m.object_id = object_id_of_row;
  IF FOUND THEN
    RAISE EXCEPTION 'The % "%" is managed by a configuration file (%). Change it there and apply the file again.',
      replace(object.kind, '_', ' '), object.name, object.file
      USING ERRCODE = 'MF001';
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
REVOKE EXECUTE ON FUNCTION keep_managed() FROM PUBLIC;

-- Protects the given columns, and the row from deletion. Other columns change while the product runs.
CREATE FUNCTION protect_managed(of_table regclass, kinds text[], columns text[], id_column text DEFAULT 'id')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  prefix text := of_table::text || '_keep_managed_' || kinds[1];
  arguments text := (SELECT string_agg(quote_literal(argument), ', ') FROM unnest(id_column || kinds) AS argument);
  names text := (SELECT string_agg(quote_ident(name), ', ') FROM unnest(columns) AS name);
  differs text := (SELECT string_agg(format('OLD.%1$I IS DISTINCT FROM NEW.%1$I', name), ' OR ') FROM unnest(columns) AS name);
BEGIN
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OF %s ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION keep_managed(%s)',
    prefix || '_changed', names, of_table, differs, arguments);
  IF id_column = 'id' THEN
    EXECUTE format('CREATE TRIGGER %I BEFORE DELETE ON %s FOR EACH ROW EXECUTE FUNCTION keep_managed(%s)',
      prefix || '_deleted', of_table, arguments);
  END IF;
END $$;

SELECT
  protect_managed('tenants', '{tenant}', '{name,slug,plan_id,user_limit,admin_limit}'),
  protect_managed('tenants', '{settings}', '{time_zone,deviation_policy,prompt_privacy,retention_days,body_retention_days,usage_retention_days,max_output_tokens,trusted_models,default_daily_quota,default_monthly_quota,default_requests_per_hour,users_regenerate_keys,api_keys_per_user,users_create_keys,unpriced_models,fallback_price,second_factor_roles,accepts_request_labels}'),
  protect_managed('sign_in_policies', '{sign_in_policy}', '{local_passwords,break_glass_users,new_accounts,idle_minutes,session_hours}', 'tenant_id'),
  protect_managed('domains', '{domain}', '{name}'),
  protect_managed('teams', '{team}', '{name,description,is_active,labels}'),
  protect_managed('users', '{user,service_account}', '{email,name,role_id,daily_quota,monthly_quota,requests_per_hour,is_active,labels,owner_team_id,scores_deviation,deleted_at}'),
  protect_managed('team_members', '{team_member}', '{role,is_active}'),
  protect_managed('identity_providers', '{identity_provider}', '{name,issuer,client_id,scopes,prompt,trusts_emails,is_enabled,is_shared,email_domains,role_claim,team_claim,mapping,default_role,creates_users}'),
  protect_managed('llm_providers', '{provider}', '{provider_instance_name,sealed_api_key,api_endpoint,enabled_models,available_models,default_model,model_aliases,is_default,is_active,connect_timeout_ms,first_byte_timeout_ms,idle_timeout_ms,total_timeout_ms,stream_total_timeout_ms}'),
  protect_managed('llm_providers', '{fallback_order}', '{fallback_position}', 'tenant_id'),
  protect_managed('price_overrides', '{price}', '{price}'),
  protect_managed('user_provider_access', '{user_grant}', '{allowed_models}'),
  protect_managed('team_provider_access', '{team_grant}', '{allowed_models}'),
  protect_managed('blacklist_entries', '{blacklist_entry}', '{model_pattern,reason,description}'),
  protect_managed('tasks', '{task,api_access_task}', '{title,description,category,difficulty_level,estimated_hours,token_limit,max_tokens_per_request,is_active,labels,deleted_at}'),
  protect_managed('budgets', '{budget}', '{limit_amount,thresholds,action,route_to,is_default}'),
  protect_managed('budget_defaults', '{default_budget}', '{limit_amount,thresholds,action,route_to}');

-- The user of an assignment may complete it.
CREATE TRIGGER task_assignments_keep_managed BEFORE UPDATE OF status, progress_notes ON task_assignments
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.status = 'cancelled')
  EXECUTE FUNCTION keep_managed('id', 'task_assignment');
-- The secret of an identity provider is also sealed again when the master key changes.
CREATE TRIGGER identity_providers_keep_secret BEFORE UPDATE OF sealed_client_secret ON identity_providers
  FOR EACH ROW WHEN (OLD.sealed_client_secret IS DISTINCT FROM NEW.sealed_client_secret)
  EXECUTE FUNCTION keep_managed('id', 'identity_provider');
