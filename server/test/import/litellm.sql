-- Made by make-litellm.py from LiteLLM's own migrations and encryption. Salt key: sk-salt-of-the-tests
CREATE TABLE "LiteLLM_BudgetTable" (
  "budget_id" text NOT NULL,
  "max_budget" double precision,
  "soft_budget" double precision,
  "max_parallel_requests" integer,
  "tpm_limit" bigint,
  "rpm_limit" bigint,
  "model_max_budget" jsonb,
  "budget_duration" text,
  "budget_reset_at" timestamp(3) without time zone,
  "created_at" timestamp(3) without time zone NOT NULL,
  "created_by" text NOT NULL,
  "updated_at" timestamp(3) without time zone NOT NULL,
  "updated_by" text NOT NULL,
  "tpd_limit" bigint,
  "temp_budget_increase" double precision,
  "temp_budget_expiry" timestamp(3) without time zone
);
CREATE TABLE "LiteLLM_ProxyModelTable" (
  "model_id" text NOT NULL,
  "model_name" text NOT NULL,
  "litellm_params" jsonb NOT NULL,
  "model_info" jsonb,
  "created_at" timestamp(3) without time zone NOT NULL,
  "created_by" text NOT NULL,
  "updated_at" timestamp(3) without time zone NOT NULL,
  "updated_by" text NOT NULL
);
CREATE TABLE "LiteLLM_CredentialsTable" (
  "credential_id" text NOT NULL,
  "credential_name" text NOT NULL,
  "credential_values" jsonb NOT NULL,
  "credential_info" jsonb,
  "created_at" timestamp(3) without time zone NOT NULL,
  "created_by" text NOT NULL,
  "updated_at" timestamp(3) without time zone NOT NULL,
  "updated_by" text NOT NULL,
  "display_name" text
);
CREATE TABLE "LiteLLM_TeamTable" (
  "team_id" text NOT NULL,
  "team_alias" text,
  "organization_id" text,
  "admins" text[],
  "members" text[],
  "members_with_roles" jsonb NOT NULL,
  "metadata" jsonb NOT NULL,
  "max_budget" double precision,
  "spend" double precision NOT NULL,
  "models" text[],
  "max_parallel_requests" integer,
  "tpm_limit" bigint,
  "rpm_limit" bigint,
  "budget_duration" text,
  "budget_reset_at" timestamp(3) without time zone,
  "blocked" boolean NOT NULL,
  "created_at" timestamp(3) without time zone NOT NULL,
  "updated_at" timestamp(3) without time zone NOT NULL,
  "model_spend" jsonb NOT NULL,
  "model_max_budget" jsonb NOT NULL,
  "model_id" integer,
  "team_member_permissions" text[],
  "object_permission_id" text,
  "router_settings" jsonb,
  "policies" text[],
  "allow_team_guardrail_config" boolean NOT NULL,
  "soft_budget" double precision,
  "access_group_ids" text[],
  "budget_limits" jsonb,
  "tpd_limit" bigint
);
CREATE TABLE "LiteLLM_UserTable" (
  "user_id" text NOT NULL,
  "user_alias" text,
  "team_id" text,
  "sso_user_id" text,
  "organization_id" text,
  "password" text,
  "teams" text[],
  "user_role" text,
  "max_budget" double precision,
  "spend" double precision NOT NULL,
  "user_email" text,
  "models" text[],
  "metadata" jsonb NOT NULL,
  "max_parallel_requests" integer,
  "tpm_limit" bigint,
  "rpm_limit" bigint,
  "budget_duration" text,
  "budget_reset_at" timestamp(3) without time zone,
  "allowed_cache_controls" text[],
  "model_spend" jsonb NOT NULL,
  "model_max_budget" jsonb NOT NULL,
  "created_at" timestamp(3) without time zone,
  "updated_at" timestamp(3) without time zone,
  "object_permission_id" text,
  "policies" text[],
  "password_reset_required" boolean,
  "last_breach_check_at" timestamp(3) without time zone
);
CREATE TABLE "LiteLLM_VerificationToken" (
  "token" text NOT NULL,
  "key_name" text,
  "key_alias" text,
  "soft_budget_cooldown" boolean NOT NULL,
  "spend" double precision NOT NULL,
  "expires" timestamp(3) without time zone,
  "models" text[],
  "aliases" jsonb NOT NULL,
  "config" jsonb NOT NULL,
  "user_id" text,
  "team_id" text,
  "permissions" jsonb NOT NULL,
  "max_parallel_requests" integer,
  "metadata" jsonb NOT NULL,
  "blocked" boolean,
  "tpm_limit" bigint,
  "rpm_limit" bigint,
  "max_budget" double precision,
  "budget_duration" text,
  "budget_reset_at" timestamp(3) without time zone,
  "allowed_cache_controls" text[],
  "model_spend" jsonb NOT NULL,
  "model_max_budget" jsonb NOT NULL,
  "budget_id" text,
  "organization_id" text,
  "created_at" timestamp(3) without time zone,
  "created_by" text,
  "updated_at" timestamp(3) without time zone,
  "updated_by" text,
  "allowed_routes" text[],
  "object_permission_id" text,
  "auto_rotate" boolean,
  "key_rotation_at" timestamp(3) without time zone,
  "last_rotation_at" timestamp(3) without time zone,
  "rotation_count" integer,
  "rotation_interval" text,
  "project_id" text,
  "router_settings" jsonb,
  "policies" text[],
  "access_group_ids" text[],
  "last_active" timestamp(3) without time zone,
  "agent_id" text,
  "budget_limits" jsonb,
  "budget_fallbacks" jsonb NOT NULL,
  "key_type" text,
  "settings_updated_at" timestamp(3) without time zone,
  "tpd_limit" bigint,
  "total_spend" double precision NOT NULL
);
CREATE TABLE "LiteLLM_TeamMembership" (
  "user_id" text NOT NULL,
  "team_id" text NOT NULL,
  "spend" double precision NOT NULL,
  "budget_id" text,
  "total_spend" double precision NOT NULL
);
CREATE TABLE "LiteLLM_AccessGroupTable" (
  "access_group_id" text NOT NULL,
  "access_group_name" text NOT NULL,
  "description" text,
  "access_mcp_server_ids" text[],
  "access_agent_ids" text[],
  "assigned_team_ids" text[],
  "assigned_key_ids" text[],
  "created_at" timestamp(3) without time zone NOT NULL,
  "created_by" text,
  "updated_at" timestamp(3) without time zone NOT NULL,
  "updated_by" text,
  "access_model_names" text[],
  "mcp_tool_permissions" jsonb,
  "access_skill_names" text[]
);
CREATE TABLE "LiteLLM_OrganizationTable" (
  "organization_id" text NOT NULL,
  "organization_alias" text NOT NULL,
  "budget_id" text NOT NULL,
  "metadata" jsonb NOT NULL,
  "models" text[],
  "spend" double precision NOT NULL,
  "model_spend" jsonb NOT NULL,
  "created_at" timestamp(3) without time zone NOT NULL,
  "created_by" text NOT NULL,
  "updated_at" timestamp(3) without time zone NOT NULL,
  "updated_by" text NOT NULL,
  "object_permission_id" text
);
CREATE TABLE "LiteLLM_Config" (
  "param_name" text NOT NULL,
  "param_value" jsonb,
  "last_run_at" timestamp(3) without time zone,
  "reload_revision" bigint NOT NULL
);
INSERT INTO "LiteLLM_BudgetTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_BudgetTable", '{"budget_duration": "7d", "budget_id": "b-member", "budget_reset_at": null, "created_at": "2026-11-27T02:55:01.516", "created_by": "admin", "max_budget": 5, "max_parallel_requests": null, "model_max_budget": null, "rpm_limit": null, "soft_budget": null, "temp_budget_expiry": null, "temp_budget_increase": null, "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.516", "updated_by": "admin"}');
INSERT INTO "LiteLLM_ProxyModelTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_ProxyModelTable", '{"created_at": "2026-11-27T02:55:01.505", "created_by": "admin", "litellm_params": {"api_base": "VhOK1Uc-afahJMVCaq6dMMkH-ALQW0VXRbMTS7O_i0pjrG2mPKWwd4v_SNG0Or1b6TIy_1YBW1Cn3VDkMkNcTQ==", "api_key": "uV2LDd3ONahjQLqDI0ykBUMbA7WTgxsnmP4NUomNErgtMogu0RgOuc1sUEtRJ_kqvsmFzry8rs0=", "model": "tfyQUo6pyG18rLqL3XoKYuf6Y-fdO_zDas0eMIJWgGsFEw3tv98_GSb8Ja4GhtJua-zshNFbzNgSE54=", "rpm": 600}, "model_id": "model-chat-hosted_vllm/llama-3", "model_info": {"access_groups": ["basic"]}, "model_name": "chat", "updated_at": "2026-11-27T02:55:01.505", "updated_by": "admin"}');
INSERT INTO "LiteLLM_ProxyModelTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_ProxyModelTable", '{"created_at": "2026-11-27T02:55:01.506", "created_by": "admin", "litellm_params": {"litellm_credential_name": "fPRTgCyBouytmZ3AQCe2q2e3N0SlT44-x9VUyXAXZdUe6sy5wMD99NAfMt7Jhw==", "model": "rcVYrYe5oAa66STRtqDrlIR2C84Q9t9WdYCPVD3k2IOgkbsxSUMi_UX_PXyU0DRx0R32Stc="}, "model_id": "model-chat-openai/qwen-3", "model_info": {}, "model_name": "chat", "updated_at": "2026-11-27T02:55:01.506", "updated_by": "admin"}');
INSERT INTO "LiteLLM_ProxyModelTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_ProxyModelTable", '{"created_at": "2026-11-27T02:55:01.514", "created_by": "admin", "litellm_params": {"api_base": "v2:gcm:5958L9B7A9blxFhoXHCGWcPrOH74q-1obuxnxhnoQkpyYKqMs9KoPM3PPzO4Ub2fNC1hWQ==", "api_key": "v2:gcm:yNr9e0LVaYzzHbxHM0-KqBJFBvejDDHxof4hNM5WIAJ61R__Qus3x1TNz8A=", "model": "v2:gcm:d41MC6MSrPaaVGNcpMWOSBP0oyrLJt43fVssespK9W9iDBFIIF5JBWX2kjsi"}, "model_id": "model-backup-hosted_vllm/small", "model_info": {}, "model_name": "backup", "updated_at": "2026-11-27T02:55:01.514", "updated_by": "admin"}');
INSERT INTO "LiteLLM_ProxyModelTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_ProxyModelTable", '{"created_at": "2026-11-27T02:55:01.515", "created_by": "admin", "litellm_params": {"api_key": "c3Nq0uYD8WC7D3JwWPzswI2SoXbutzRSvu1ptE1kRhylzeKhmTnWT8y_rUQfJV7jUTj0OsjfoOoTKl7xwOLwuQ5r3dCuFLFXHQ==", "model": "wcZEWcu3M04QcC8Htb956yrvwp9EczmLGwyBxxoVklF466kO-w5xBCAbFVOTfAOtazyuJ0U="}, "model_id": "model-from-environment-openai/gpt-4o", "model_info": {}, "model_name": "from-environment", "updated_at": "2026-11-27T02:55:01.515", "updated_by": "admin"}');
INSERT INTO "LiteLLM_ProxyModelTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_ProxyModelTable", '{"created_at": "2026-11-27T02:55:01.515", "created_by": "admin", "litellm_params": {"aws_access_key_id": "-L_s7dt2XFoMvUSgY1hUHyZEYm4cOpg6j8nDmJvh10BpstbtVt9ScKDMi2U=", "model": "cgASQnWDhmmrirpozxZ_4VWoJ7Nj3a9bvrpQPBD7elCL4aB0qXvLb2Rt8rsk9c6MKYD0cJ4Nkae66ohKiCok-m37yQ=="}, "model_id": "model-on-bedrock-bedrock/anthropic.claude-v2", "model_info": {}, "model_name": "on-bedrock", "updated_at": "2026-11-27T02:55:01.515", "updated_by": "admin"}');
INSERT INTO "LiteLLM_ProxyModelTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_ProxyModelTable", '{"created_at": "2026-11-27T02:55:01.515", "created_by": "admin", "litellm_params": {"api_key": "54E1_N9AWftSePKJOWvlCeRxtE0WRyAosiQzrMVLHYyNLU2cmGwU8soCcNGIGXuA_edOpRKWlP7FP5VjJkNc7_YCe8qLlMzSYA==", "model": "VPAKl3IgIdiXuFGrwn4YGYyKkdx2WyZ79SRUgIPpcUbf43WPiQWRsRJRGE0ClhqN"}, "model_id": "model-openai/*-openai/*", "model_info": {}, "model_name": "openai/*", "updated_at": "2026-11-27T02:55:01.515", "updated_by": "admin"}');
INSERT INTO "LiteLLM_CredentialsTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_CredentialsTable", '{"created_at": "2026-11-27T02:55:01.501", "created_by": "admin", "credential_id": "c1", "credential_info": {}, "credential_name": "second", "credential_values": {"api_base": "kIzXexhGG3fYpXv5OjSk3ZkaLRlGkutm9tu-4vuT0iJeMadZOaQ36BU0VIOgEcmDaj61jy7u4majMjwvfQ82VQ==", "api_key": "_v8ZhdpQnqRFIpEDPmMr_M5hXeUsuUfFiLGnwOg7PRRSDYfl8A-L6Z5f1wq2J6VJGLqxJoa8f_Y="}, "display_name": null, "updated_at": "2026-11-27T02:55:01.501", "updated_by": "admin"}');
INSERT INTO "LiteLLM_TeamTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_TeamTable", '{"access_group_ids": [], "admins": null, "allow_team_guardrail_config": false, "blocked": false, "budget_duration": "30d", "budget_limits": null, "budget_reset_at": "2099-01-01T00:00:00", "created_at": "2026-11-27T02:55:01.517", "max_budget": 100, "max_parallel_requests": null, "members": null, "members_with_roles": [{"role": "admin", "user_id": "u-ada"}, {"role": "user", "user_id": "u-ben"}], "metadata": {}, "model_id": null, "model_max_budget": {}, "model_spend": {}, "models": ["basic", "backup"], "object_permission_id": null, "organization_id": null, "policies": [], "router_settings": {}, "rpm_limit": null, "soft_budget": null, "spend": 12.5, "team_alias": "Red", "team_id": "t-red", "team_member_permissions": [], "tpd_limit": null, "tpm_limit": 100000, "updated_at": "2026-11-27T02:55:01.517"}');
INSERT INTO "LiteLLM_TeamTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_TeamTable", '{"access_group_ids": [], "admins": null, "allow_team_guardrail_config": false, "blocked": true, "budget_duration": null, "budget_limits": null, "budget_reset_at": null, "created_at": "2026-11-27T02:55:01.523", "max_budget": null, "max_parallel_requests": null, "members": null, "members_with_roles": {}, "metadata": {}, "model_id": null, "model_max_budget": {}, "model_spend": {}, "models": [], "object_permission_id": null, "organization_id": null, "policies": [], "router_settings": {}, "rpm_limit": null, "soft_budget": null, "spend": 0, "team_alias": "Blue", "team_id": "t-blue", "team_member_permissions": [], "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.523"}');
INSERT INTO "LiteLLM_UserTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_UserTable", '{"allowed_cache_controls": [], "budget_duration": null, "budget_reset_at": null, "created_at": "2026-11-27T02:55:01.523", "last_breach_check_at": null, "max_budget": 50, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": [], "object_permission_id": null, "organization_id": null, "password": null, "password_reset_required": null, "policies": [], "rpm_limit": null, "spend": 1.25, "sso_user_id": null, "team_id": null, "teams": ["t-red"], "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.523", "user_alias": "Ada Lovelace", "user_email": "Ada@Import.test", "user_id": "u-ada", "user_role": "internal_user"}');
INSERT INTO "LiteLLM_UserTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_UserTable", '{"allowed_cache_controls": [], "budget_duration": null, "budget_reset_at": null, "created_at": "2026-11-27T02:55:01.524", "last_breach_check_at": null, "max_budget": null, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": [], "object_permission_id": null, "organization_id": null, "password": null, "password_reset_required": null, "policies": [], "rpm_limit": null, "spend": 0, "sso_user_id": null, "team_id": null, "teams": ["t-red"], "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.524", "user_alias": null, "user_email": "ben@import.test", "user_id": "u-ben", "user_role": "internal_user_viewer"}');
INSERT INTO "LiteLLM_UserTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_UserTable", '{"allowed_cache_controls": [], "budget_duration": null, "budget_reset_at": null, "created_at": "2026-11-27T02:55:01.524", "last_breach_check_at": null, "max_budget": null, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": [], "object_permission_id": null, "organization_id": null, "password": null, "password_reset_required": null, "policies": [], "rpm_limit": null, "spend": 0, "sso_user_id": null, "team_id": null, "teams": [], "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.524", "user_alias": null, "user_email": "root@import.test", "user_id": "u-root", "user_role": "proxy_admin"}');
INSERT INTO "LiteLLM_UserTable" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_UserTable", '{"allowed_cache_controls": [], "budget_duration": null, "budget_reset_at": null, "created_at": "2026-11-27T02:55:01.524", "last_breach_check_at": null, "max_budget": null, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": ["backup"], "object_permission_id": null, "organization_id": null, "password": null, "password_reset_required": null, "policies": [], "rpm_limit": null, "spend": 0, "sso_user_id": null, "team_id": null, "teams": [], "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.524", "user_alias": null, "user_email": null, "user_id": "batch", "user_role": null}');
INSERT INTO "LiteLLM_VerificationToken" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_VerificationToken", '{"access_group_ids": [], "agent_id": null, "aliases": {}, "allowed_cache_controls": [], "allowed_routes": [], "auto_rotate": false, "blocked": null, "budget_duration": null, "budget_fallbacks": {}, "budget_id": null, "budget_limits": null, "budget_reset_at": null, "config": {}, "created_at": "2026-11-27T02:55:01.527", "created_by": null, "expires": null, "key_alias": "ada at red", "key_name": "sk-...0001", "key_rotation_at": null, "key_type": null, "last_active": null, "last_rotation_at": null, "max_budget": 10, "max_parallel_requests": null, "metadata": {"cost_center": 4711, "nested": {"a": 1}, "tags": ["one", "two"]}, "model_max_budget": {}, "model_spend": {}, "models": ["chat"], "object_permission_id": null, "organization_id": null, "permissions": {}, "policies": [], "project_id": null, "rotation_count": 0, "rotation_interval": null, "router_settings": {}, "rpm_limit": 100, "settings_updated_at": null, "soft_budget_cooldown": false, "spend": 4.5, "team_id": "t-red", "token": "c7645850bd59935799c2bc30558ed30eabae31db678e1b0b4b39e16e15b74fb7", "total_spend": 0, "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.527", "updated_by": null, "user_id": "u-ada"}');
INSERT INTO "LiteLLM_VerificationToken" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_VerificationToken", '{"access_group_ids": [], "agent_id": null, "aliases": {}, "allowed_cache_controls": [], "allowed_routes": [], "auto_rotate": false, "blocked": null, "budget_duration": null, "budget_fallbacks": {}, "budget_id": null, "budget_limits": null, "budget_reset_at": null, "config": {}, "created_at": "2026-11-27T02:55:01.53", "created_by": null, "expires": null, "key_alias": "ada alone", "key_name": "sk-...0002", "key_rotation_at": null, "key_type": null, "last_active": null, "last_rotation_at": null, "max_budget": null, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": [], "object_permission_id": null, "organization_id": null, "permissions": {}, "policies": [], "project_id": null, "rotation_count": 0, "rotation_interval": null, "router_settings": {}, "rpm_limit": null, "settings_updated_at": null, "soft_budget_cooldown": false, "spend": 0, "team_id": null, "token": "923cc68a1c061c39c620dffcb8d808e87a1739abd8ff5915f12db87f427da5ef", "total_spend": 0, "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.53", "updated_by": null, "user_id": "u-ada"}');
INSERT INTO "LiteLLM_VerificationToken" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_VerificationToken", '{"access_group_ids": [], "agent_id": null, "aliases": {}, "allowed_cache_controls": [], "allowed_routes": [], "auto_rotate": false, "blocked": null, "budget_duration": "14d", "budget_fallbacks": {}, "budget_id": null, "budget_limits": null, "budget_reset_at": "2099-01-01T00:00:00", "config": {}, "created_at": "2026-11-27T02:55:01.531", "created_by": null, "expires": null, "key_alias": "red service", "key_name": "sk-...0003", "key_rotation_at": null, "key_type": null, "last_active": null, "last_rotation_at": null, "max_budget": 14, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": ["all-team-models"], "object_permission_id": null, "organization_id": null, "permissions": {}, "policies": [], "project_id": null, "rotation_count": 0, "rotation_interval": null, "router_settings": {}, "rpm_limit": null, "settings_updated_at": null, "soft_budget_cooldown": false, "spend": 7, "team_id": "t-red", "token": "3e49a05bad960211b737e693d1ad0c5b301851b58ce06dd91069dbdb9090f2b0", "total_spend": 0, "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.531", "updated_by": null, "user_id": null}');
INSERT INTO "LiteLLM_VerificationToken" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_VerificationToken", '{"access_group_ids": [], "agent_id": null, "aliases": {}, "allowed_cache_controls": [], "allowed_routes": [], "auto_rotate": false, "blocked": null, "budget_duration": null, "budget_fallbacks": {}, "budget_id": null, "budget_limits": null, "budget_reset_at": null, "config": {}, "created_at": "2026-11-27T02:55:01.531", "created_by": null, "expires": null, "key_alias": "batch job", "key_name": "sk-...0004", "key_rotation_at": null, "key_type": null, "last_active": null, "last_rotation_at": null, "max_budget": null, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": [], "object_permission_id": null, "organization_id": null, "permissions": {}, "policies": [], "project_id": null, "rotation_count": 0, "rotation_interval": null, "router_settings": {}, "rpm_limit": null, "settings_updated_at": null, "soft_budget_cooldown": false, "spend": 0, "team_id": null, "token": "298975796f1d1269a334523441a85621888e0bd19bbc87fe460a415eca9a4846", "total_spend": 0, "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.531", "updated_by": null, "user_id": "batch"}');
INSERT INTO "LiteLLM_VerificationToken" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_VerificationToken", '{"access_group_ids": [], "agent_id": null, "aliases": {}, "allowed_cache_controls": [], "allowed_routes": [], "auto_rotate": false, "blocked": null, "budget_duration": null, "budget_fallbacks": {}, "budget_id": null, "budget_limits": null, "budget_reset_at": null, "config": {}, "created_at": "2026-11-27T02:55:01.531", "created_by": null, "expires": "2099-01-01T00:00:00", "key_alias": null, "key_name": "sk-...0005", "key_rotation_at": null, "key_type": null, "last_active": null, "last_rotation_at": null, "max_budget": null, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": ["basic"], "object_permission_id": null, "organization_id": null, "permissions": {}, "policies": [], "project_id": null, "rotation_count": 0, "rotation_interval": null, "router_settings": {}, "rpm_limit": null, "settings_updated_at": null, "soft_budget_cooldown": false, "spend": 0, "team_id": null, "token": "401acbcbcd1bd48bbd97bf96fbd88186514f15f6dca1f943e8d04e5992948e07", "total_spend": 0, "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.531", "updated_by": null, "user_id": null}');
INSERT INTO "LiteLLM_VerificationToken" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_VerificationToken", '{"access_group_ids": [], "agent_id": null, "aliases": {}, "allowed_cache_controls": [], "allowed_routes": [], "auto_rotate": false, "blocked": null, "budget_duration": null, "budget_fallbacks": {}, "budget_id": null, "budget_limits": null, "budget_reset_at": null, "config": {}, "created_at": "2026-11-27T02:55:01.531", "created_by": null, "expires": "2020-01-01T00:00:00", "key_alias": "expired", "key_name": "sk-...0006", "key_rotation_at": null, "key_type": null, "last_active": null, "last_rotation_at": null, "max_budget": null, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": [], "object_permission_id": null, "organization_id": null, "permissions": {}, "policies": [], "project_id": null, "rotation_count": 0, "rotation_interval": null, "router_settings": {}, "rpm_limit": null, "settings_updated_at": null, "soft_budget_cooldown": false, "spend": 0, "team_id": null, "token": "4c652e05894de6cbe18f5c3a7e6e4b051ce5234fa26130ba57863de76c0a194d", "total_spend": 0, "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.531", "updated_by": null, "user_id": null}');
INSERT INTO "LiteLLM_VerificationToken" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_VerificationToken", '{"access_group_ids": [], "agent_id": null, "aliases": {}, "allowed_cache_controls": [], "allowed_routes": [], "auto_rotate": false, "blocked": true, "budget_duration": null, "budget_fallbacks": {}, "budget_id": null, "budget_limits": null, "budget_reset_at": null, "config": {}, "created_at": "2026-11-27T02:55:01.532", "created_by": null, "expires": null, "key_alias": "blocked", "key_name": "sk-...0007", "key_rotation_at": null, "key_type": null, "last_active": null, "last_rotation_at": null, "max_budget": null, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": [], "object_permission_id": null, "organization_id": null, "permissions": {}, "policies": [], "project_id": null, "rotation_count": 0, "rotation_interval": null, "router_settings": {}, "rpm_limit": null, "settings_updated_at": null, "soft_budget_cooldown": false, "spend": 0, "team_id": null, "token": "c09739a316628bff46ad93bf7309f00f5707c0b3543ca90ec1bfed58415f7274", "total_spend": 0, "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.532", "updated_by": null, "user_id": null}');
INSERT INTO "LiteLLM_VerificationToken" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_VerificationToken", '{"access_group_ids": [], "agent_id": null, "aliases": {}, "allowed_cache_controls": [], "allowed_routes": [], "auto_rotate": false, "blocked": null, "budget_duration": null, "budget_fallbacks": {}, "budget_id": null, "budget_limits": null, "budget_reset_at": null, "config": {}, "created_at": "2026-11-27T02:55:01.532", "created_by": null, "expires": null, "key_alias": "spent", "key_name": "sk-...1234", "key_rotation_at": null, "key_type": null, "last_active": null, "last_rotation_at": null, "max_budget": 1, "max_parallel_requests": null, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "models": [], "object_permission_id": null, "organization_id": null, "permissions": {}, "policies": [], "project_id": null, "rotation_count": 0, "rotation_interval": null, "router_settings": {}, "rpm_limit": null, "settings_updated_at": null, "soft_budget_cooldown": false, "spend": 1.5, "team_id": "t-red", "token": "88dc28d0f030c55ed4ab77ed8faf098196cb1c05df778539800c9f1243fe6b4b", "total_spend": 0, "tpd_limit": null, "tpm_limit": null, "updated_at": "2026-11-27T02:55:01.532", "updated_by": null, "user_id": "u-ben"}');
INSERT INTO "LiteLLM_TeamMembership" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_TeamMembership", '{"budget_id": "b-member", "spend": 2, "team_id": "t-red", "total_spend": 0, "user_id": "u-ben"}');
INSERT INTO "LiteLLM_Config" SELECT * FROM jsonb_populate_record(NULL::"LiteLLM_Config", '{"last_run_at": null, "param_name": "router_settings", "param_value": {"fallbacks": [{"chat": ["backup"]}], "num_retries": 3}, "reload_revision": 0}');
