"""Writes server/test/import/litellm.sql: tables of LiteLLM's own migrations with rows that LiteLLM's own code encrypts.

Needs an empty PostgreSQL database and the packages of LiteLLM's proxy:

    pip install 'litellm[proxy]' 'psycopg[binary]'
    python server/test/import/make-litellm.py postgresql://localhost/empty > server/test/import/litellm.sql
"""

import json
import os
import sys
from pathlib import Path

os.environ["LITELLM_SALT_KEY"] = "sk-salt-of-the-tests"
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm_proxy_extras
import psycopg
from litellm.proxy.common_utils import encrypt_decrypt_utils
from litellm.proxy.utils import hash_token

TABLES = [
    "LiteLLM_BudgetTable",
    "LiteLLM_ProxyModelTable",
    "LiteLLM_CredentialsTable",
    "LiteLLM_TeamTable",
    "LiteLLM_UserTable",
    "LiteLLM_VerificationToken",
    "LiteLLM_TeamMembership",
    "LiteLLM_AccessGroupTable",
    "LiteLLM_OrganizationTable",
    "LiteLLM_Config",
]
SALT = os.environ["LITELLM_SALT_KEY"]


def encrypt(value):
    if not isinstance(value, str):
        return value
    return encrypt_decrypt_utils.encrypt_value_helper(value, new_encryption_key=SALT)


def encrypt_gcm(value):
    return encrypt_decrypt_utils._encrypt_aes_gcm(value, SALT)


def main(url):
    with psycopg.connect(url, autocommit=True) as database:
        migrations = Path(litellm_proxy_extras.__file__).parent / "migrations"
        for path in sorted(migrations.glob("*/migration.sql")):
            for statement in split(path.read_text()):
                try:
                    database.execute(statement)
                except psycopg.Error as error:
                    print(f"-- {path.parent.name}: {error.diag.message_primary}", file=sys.stderr)
        fill(database)
        print("-- Made by make-litellm.py from LiteLLM's own migrations and encryption. Salt key: sk-salt-of-the-tests")
        for table in TABLES:
            print(describe(database, table))
        for table in TABLES:
            for (row,) in database.execute(f'SELECT to_jsonb(t) FROM "{table}" t ORDER BY 1::text'):
                text = json.dumps(row, sort_keys=True).replace("'", "''")
                print(f"INSERT INTO \"{table}\" SELECT * FROM jsonb_populate_record(NULL::\"{table}\", '{text}');")


def split(sql):
    """Statements of a migration; one with a body in dollar quotes stays whole."""
    return [sql] if "$$" in sql else [part for part in sql.split(";") if part.strip()]


def describe(database, table):
    columns = database.execute(
        """SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull
           FROM pg_attribute a WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped
           ORDER BY a.attnum""",
        (f'"{table}"',),
    )
    lines = [f'  "{name}" {kind}{" NOT NULL" if required else ""}' for name, kind, required in columns]
    return f'CREATE TABLE "{table}" (\n' + ",\n".join(lines) + "\n);"


def insert(database, table, **values):
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join(["%s"] * len(values))
    given = [json.dumps(value) if isinstance(value, (dict, tuple)) else value for value in values.values()]
    database.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', given)


def model(database, name, params, info=None, seal=encrypt):
    sealed = {key: seal(value) if isinstance(value, str) else value for key, value in params.items()}
    made = {"created_by": "admin", "updated_by": "admin"}
    insert(database, "LiteLLM_ProxyModelTable", model_id=f"model-{name}-{params['model']}", model_name=name,
           litellm_params=sealed, model_info=info or {}, **made)


def key(database, secret, alias, **values):
    insert(database, "LiteLLM_VerificationToken", token=hash_token(secret), key_name=f"sk-...{secret[-4:]}",
           key_alias=alias, **values)


def fill(database):
    made = {"created_by": "admin", "updated_by": "admin"}
    base = "http://127.0.0.1:9101/v1"
    insert(database, "LiteLLM_CredentialsTable", credential_id="c1", credential_name="second",
           credential_values={"api_key": encrypt("provider-key-two"), "api_base": encrypt(base)}, credential_info={}, **made)
    model(database, "chat", {"model": "hosted_vllm/llama-3", "api_base": base, "api_key": "provider-key-one", "rpm": 600},
          {"access_groups": ["basic"]})
    model(database, "chat", {"model": "openai/qwen-3", "litellm_credential_name": "second"})
    model(database, "backup", {"model": "hosted_vllm/small", "api_base": base, "api_key": "provider-key-one"}, seal=encrypt_gcm)
    model(database, "from-environment", {"model": "openai/gpt-4o", "api_key": "os.environ/IMPORT_TEST_OPENAI_KEY"})
    model(database, "on-bedrock", {"model": "bedrock/anthropic.claude-v2", "aws_access_key_id": "AKIA"})
    model(database, "openai/*", {"model": "openai/*", "api_key": "os.environ/IMPORT_TEST_OPENAI_KEY"})
    insert(database, "LiteLLM_Config", param_name="router_settings",
           param_value={"fallbacks": ({"chat": ("backup",)},), "num_retries": 3})
    insert(database, "LiteLLM_BudgetTable", budget_id="b-member", max_budget=5.0, budget_duration="7d", **made)
    insert(database, "LiteLLM_TeamTable", team_id="t-red", team_alias="Red", models=["basic", "backup"], max_budget=100.0,
           budget_duration="30d", budget_reset_at="2099-01-01", spend=12.5, tpm_limit=100000,
           members_with_roles=({"user_id": "u-ada", "role": "admin"}, {"user_id": "u-ben", "role": "user"}))
    insert(database, "LiteLLM_TeamTable", team_id="t-blue", team_alias="Blue", models=[], blocked=True)
    insert(database, "LiteLLM_UserTable", user_id="u-ada", user_email="Ada@Import.test", user_alias="Ada Lovelace",
           user_role="internal_user", teams=["t-red"], models=[], max_budget=50.0, spend=1.25)
    insert(database, "LiteLLM_UserTable", user_id="u-ben", user_email="ben@import.test", user_role="internal_user_viewer",
           teams=["t-red"], models=[])
    insert(database, "LiteLLM_UserTable", user_id="u-root", user_email="root@import.test", user_role="proxy_admin",
           teams=[], models=[])
    insert(database, "LiteLLM_UserTable", user_id="batch", teams=[], models=["backup"])
    insert(database, "LiteLLM_TeamMembership", user_id="u-ben", team_id="t-red", spend=2.0, budget_id="b-member")
    key(database, "sk-ada-of-the-red-team-0001", "ada at red", user_id="u-ada", team_id="t-red", models=["chat"],
        max_budget=10.0, spend=4.5, rpm_limit=100, metadata={"cost_center": 4711, "nested": {"a": 1}, "tags": ("one", "two")})
    key(database, "sk-ada-alone-0002", "ada alone", user_id="u-ada", models=[])
    key(database, "sk-red-service-0003", "red service", team_id="t-red", models=["all-team-models"], max_budget=14.0,
        budget_duration="14d", budget_reset_at="2099-01-01", spend=7.0)
    key(database, "sk-batch-0004", "batch job", user_id="batch", models=[])
    key(database, "sk-nobody-0005", None, models=["basic"], expires="2099-01-01")
    key(database, "sk-expired-0006", "expired", models=[], expires="2020-01-01")
    key(database, "sk-blocked-0007", "blocked", models=[], blocked=True)
    key(database, "sk-1234", "spent", user_id="u-ben", team_id="t-red", models=[], max_budget=1.0, spend=1.5)


main(sys.argv[1])
