import { readFileSync } from 'node:fs';
import { type Command, type CommandCall, textOption, UsageError } from '../command.ts';
import { mapSource } from '../import/litellm/map-source.ts';
import { readLitellmConfig } from '../import/litellm/read-config.ts';
import { readLitellmDatabase } from '../import/litellm/read-database.ts';
import { readLitellmUrl } from '../import/litellm/read-url.ts';
import { type LitellmSource, noSource } from '../import/litellm/rows.ts';
import { mapOneApi } from '../import/one-api/map-source.ts';
import { readOneApi } from '../import/one-api/read-database.ts';
import { importOptions, runImport } from '../import/run-import.ts';

const repeatable =
  'A second run creates only missing objects and does not change existing objects. If an import fails, it creates no objects.';

export const importLitellm: Command = {
  name: 'import litellm',
  summary: 'Imports models, teams, users, keys and budgets of LiteLLM; existing keys keep working',
  details: `Provider keys that LiteLLM reads from variables (os.environ/NAME) are read from the same variables.\n${repeatable}`,
  options: {
    config: { value: 'PATH', summary: "LiteLLM's config.yaml" },
    database: { value: 'URL', summary: "LiteLLM's DATABASE_URL; the database is only read" },
    url: { value: 'URL', summary: 'running LiteLLM, if its database cannot be reached' },
    key: { value: 'KEY', summary: "LiteLLM's master key, for --url" },
    'salt-key-file': {
      value: 'PATH',
      summary: 'file with LITELLM_SALT_KEY, or the master key if there is no salt key; for --database',
    },
    ...importOptions,
  },
  async run(call) {
    checkOptions(call);
    const { env } = call;
    return runImport(call, {
      source: 'LiteLLM',
      action: 'importLitellm',
      read: async (nowMs) => mapSource(await readSource(call), { env, nowMs }),
    });
  },
};

const sourceOptions = ['config', 'database', 'url', 'key'] as const;

function checkOptions(call: CommandCall): void {
  const [config, database, url, key] = sourceOptions.map((name) => textOption(call, name));
  if (database === undefined && url === undefined && config === undefined)
    throw new UsageError('Use --database, --url or --config.');
  if (database !== undefined && url !== undefined) throw new UsageError('Use either --database or --url.');
  if (url !== undefined && key === undefined) throw new UsageError('--key is missing.');
}

async function readSource(call: CommandCall): Promise<LitellmSource> {
  const [config, database, url, key = ''] = sourceOptions.map((name) => textOption(call, name));
  const ofConfig = config === undefined ? noSource : readLitellmConfig(config);
  const stored =
    database === undefined
      ? url === undefined
        ? noSource
        : await readLitellmUrl(url, key)
      : await readLitellmDatabase(database, readSaltKey(call));
  return {
    ...stored,
    models: [...ofConfig.models, ...stored.models],
    credentials: [...ofConfig.credentials, ...stored.credentials],
    settings: {
      fallbacks: [...ofConfig.settings.fallbacks, ...stored.settings.fallbacks],
      aliases: { ...ofConfig.settings.aliases, ...stored.settings.aliases },
      environment: { ...ofConfig.settings.environment, ...stored.settings.environment },
      ignored: [...new Set([...ofConfig.settings.ignored, ...stored.settings.ignored])],
    },
  };
}

function readSaltKey(call: CommandCall): string | null {
  const path = textOption(call, 'salt-key-file');
  return path === undefined ? null : readFileSync(path, 'utf8').trim();
}

export const importOneApi: Command = {
  name: 'import one-api',
  summary: 'Imports channels, users, tokens and quotas of One API or New API; existing tokens keep working',
  details: `The database is PostgreSQL (specify its URL) or SQLite (specify the path of its file).\n${repeatable}`,
  options: {
    database: {
      value: 'URL',
      summary: 'URL of the PostgreSQL database, or path of the SQLite file; the database is only read',
    },
    ...importOptions,
  },
  async run(call) {
    const database = textOption(call, 'database');
    if (database === undefined) throw new UsageError('--database is missing.');
    return runImport(call, {
      source: 'One API',
      action: 'importOneApi',
      read: async (nowMs) => mapOneApi(await readOneApi(database), nowMs),
    });
  },
};
