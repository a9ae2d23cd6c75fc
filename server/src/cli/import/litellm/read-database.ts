import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type SourceDatabase, withSourceDatabase } from '../source-database.ts';
import { createDecrypt } from './decrypt.ts';
import { readSettings } from './read-settings.ts';
import {
  accessGroupRow,
  budgetRow,
  configRow,
  credentialRow,
  keyRow,
  type LitellmSource,
  membershipRow,
  modelRow,
  teamRow,
  userRow,
} from './rows.ts';

/** Tables of objects without an equivalent in Sluice, with the object names for the report. */
const foreignTables = {
  organizations: 'LiteLLM_OrganizationTable',
  'end users': 'LiteLLM_EndUserTable',
  tags: 'LiteLLM_TagTable',
  projects: 'LiteLLM_ProjectTable',
  'MCP servers': 'LiteLLM_MCPServerTable',
  guardrails: 'LiteLLM_GuardrailsTable',
  prompts: 'LiteLLM_PromptTable',
};

/**
 * Reads LiteLLM's database in one snapshot. Tables and columns that are missing in an older version are treated as
 * empty.
 * @throws WrongSaltKeyError if a value cannot be decrypted, Error if the database is not LiteLLM's
 */
export function readLitellmDatabase(url: string, saltKey: string | null): Promise<LitellmSource> {
  return withSourceDatabase(url, 'LiteLLM', async (database) => {
    if (!(await hasTable(database, 'LiteLLM_VerificationToken')))
      throw new Error(
        'This database has no table "LiteLLM_VerificationToken". Check --database: it must be the DATABASE_URL of LiteLLM.',
      );
    const rows = <Row extends z.ZodType>(table: string, row: Row) => readTable(database, table, row);
    const decrypt = createDecrypt(saltKey);
    const open = (values: Readonly<Record<string, unknown>>, name: string) =>
      decryptAll(values, name, decrypt);
    const models = (await rows('LiteLLM_ProxyModelTable', modelRow)).map((model) => ({
      ...model,
      litellm_params: open(model.litellm_params, `the parameters of the model ${model.model_name}`),
    }));
    const credentials = (await rows('LiteLLM_CredentialsTable', credentialRow)).map((row) => ({
      ...row,
      credential_values: open(row.credential_values, `the credential ${row.credential_name}`),
    }));
    const config = Object.fromEntries(
      (await rows('LiteLLM_Config', configRow)).map(({ param_name, param_value }) => [
        param_name,
        param_value,
      ]),
    );
    const environment = open(config.environment_variables ?? {}, 'the environment variables');
    return {
      models,
      credentials,
      budgets: await rows('LiteLLM_BudgetTable', budgetRow),
      teams: await rows('LiteLLM_TeamTable', teamRow),
      users: await rows('LiteLLM_UserTable', userRow),
      keys: await rows('LiteLLM_VerificationToken', keyRow),
      memberships: await rows('LiteLLM_TeamMembership', membershipRow),
      accessGroups: await rows('LiteLLM_AccessGroupTable', accessGroupRow),
      settings: readSettings({ ...config, environment_variables: environment }),
      foreign: await countForeign(database),
    };
  });
}

async function hasTable(database: SourceDatabase, table: string): Promise<boolean> {
  const { rows } = await database.execute<{ found: boolean }>(
    sql`SELECT to_regclass(${`"${table}"`}) IS NOT NULL AS found`,
  );
  return rows[0]?.found === true;
}

async function readTable<Row extends z.ZodType>(
  database: SourceDatabase,
  table: string,
  row: Row,
): Promise<z.output<Row>[]> {
  if (!(await hasTable(database, table))) return [];
  const { rows } = await database.execute<{ row: unknown }>(
    sql`SELECT to_jsonb(t) AS row FROM ${sql.identifier(table)} t ORDER BY to_jsonb(t) ->> 'created_at', t::text`,
  );
  return rows.map((found) => row.parse(found.row));
}

async function countForeign(database: SourceDatabase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, table] of Object.entries(foreignTables)) {
    if (!(await hasTable(database, table))) continue;
    const { rows } = await database.execute<{ total: number }>(
      sql`SELECT count(*)::int AS total FROM ${sql.identifier(table)}`,
    );
    counts[name] = rows[0]?.total ?? 0;
  }
  return counts;
}

function decryptAll(
  values: Readonly<Record<string, unknown>>,
  name: string,
  decrypt: (stored: string, name: string) => string,
): Record<string, string> & Record<string, unknown> {
  const opened = Object.entries(values).map(([field, value]) => [
    field,
    typeof value === 'string' ? decrypt(value, name) : value,
  ]);
  return Object.fromEntries(opened);
}
