import { z } from 'zod';
import { UsageError } from '../../command.ts';
import { budgetRow, keyRow, type LitellmSource, modelRow, noSource, teamRow, userRow } from './rows.ts';

const pageSize = 100;
const timeoutMs = 30_000;

const modelInfo = z.object({ data: z.array(modelRow) });
const keyPage = z.object({ keys: z.array(z.unknown()), total_pages: z.number().nullish() });
const userPage = z.object({ users: z.array(userRow), total_pages: z.number().nullish() });

/**
 * Reads a running LiteLLM through its management API, with its master key. The API returns SHA-256 hashes of keys. It
 * does not return provider keys, which are therefore read from variables.
 */
export async function readLitellmUrl(url: string, key: string): Promise<LitellmSource> {
  const get = createGet(url, key, '--url');
  const models = modelInfo.parse(await get('/model/info')).data.map(withoutMaskedKey);
  const keys = await readPages(async (page) => {
    const answer = keyPage.parse(
      await get(`/key/list?return_full_object=true&include_team_keys=true&size=${pageSize}&page=${page}`),
    );
    return { rows: answer.keys.map((row) => keyRow.parse(row)), pages: answer.total_pages };
  });
  const users = await readPages(async (page) => {
    const answer = userPage.parse(await get(`/user/list?page_size=${pageSize}&page=${page}`));
    return { rows: answer.users, pages: answer.total_pages };
  });
  const teams = z.array(teamRow).parse(await get('/team/list'));
  const budgets = z.array(budgetRow).parse(await get('/budget/list'));
  return { ...noSource, models, keys, users, teams, budgets };
}

/**
 * Returns a function that calls a running LiteLLM. `option` is the command's option for the URL.
 * @throws UsageError for a URL with a password
 */
export function createGet(base: string, key: string, option: string) {
  // `fetch` rejects a URL with a password, and its error message contains the password.
  if (!URL.canParse(base) || new URL(base).username !== '' || new URL(base).password !== '')
    throw new UsageError(
      `${option} must be a URL without user and password, such as https://litellm.example.com.`,
    );
  return async (path: string): Promise<unknown> => {
    const response = await fetch(`${base.replace(/\/+$/, '')}${path}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    }).catch((cause: unknown) => {
      throw new Error(`LiteLLM cannot be reached at ${base}. Check ${option}.`, { cause });
    });
    const name = path.replace(/\?.*/, '');
    if (response.status === 401 || response.status === 403)
      throw new Error(
        `LiteLLM rejected the key for ${name} (HTTP ${response.status}). Use its master key as --key.`,
      );
    if (!response.ok) throw new Error(`LiteLLM returned HTTP ${response.status} for ${name}.`);
    return response.json();
  };
}

async function readPages<Row>(
  read: (page: number) => Promise<{ rows: Row[]; pages?: number | null | undefined }>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page++) {
    const { pages, rows } = await read(page);
    all.push(...rows);
    if (rows.length === 0 || page >= (pages ?? 1)) return all;
  }
}

/** Removes the API key unless it names an environment variable, since LiteLLM masks keys in its responses. */
function withoutMaskedKey(model: z.output<typeof modelRow>): z.output<typeof modelRow> {
  const { api_key: apiKey, ...params } = model.litellm_params;
  const isReference = typeof apiKey === 'string' && apiKey.startsWith('os.environ/');
  return { ...model, litellm_params: isReference ? { ...params, api_key: apiKey } : params };
}
