import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Program, startProgram } from '../programs/program.ts';
import { findFreePort, untilListening } from '../programs/readiness.ts';
import { findProgram } from './nginx.ts';
import { peerPart, startPeerDatabase } from './peer-database.ts';
import { NotInstalledError, type Surroundings, type Target } from './subject.ts';

const masterKey = 'sk-benchmark-master-key';
const startsWithinMs = 240_000;
const unreachable = 1_000_000_000;

/** Starts LiteLLM's proxy with one worker and a master key, without the database for keys, limits and logs. */
export async function startPlainLitellm(surroundings: Surroundings): Promise<Target> {
  const proxy = await startProxy(surroundings, {});
  return { ...proxy, headers: { authorization: `Bearer ${masterKey}` } };
}

/** Starts LiteLLM's proxy with a database, and a key with a budget and with limits on requests and tokens. */
export async function startLitellm(surroundings: Surroundings): Promise<Target> {
  requirePrisma(surroundings);
  const database = await startPeerDatabase(surroundings, 'litellm-database');
  // Prisma stores its engine in the home folder.
  const proxy = await startProxy(surroundings, { DATABASE_URL: database.url, HOME: homedir() });
  const { key } = await createKey(new URL('/key/generate', proxy.url));
  return {
    ...proxy,
    headers: { authorization: `Bearer ${key}` },
    databasePid: database.pid,
    partOf: peerPart,
    defersWork: true,
  };
}

async function createKey(url: URL): Promise<{ key: string }> {
  const limits = {
    max_budget: unreachable,
    budget_duration: '30d',
    rpm_limit: unreachable,
    tpm_limit: unreachable,
  };
  const headers = { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(limits) });
  if (!response.ok) throw new Error(`LiteLLM returned ${response.status}: ${await response.text()}`);
  return JSON.parse(await response.text());
}

function requirePrisma({ options }: Surroundings): void {
  try {
    accessSync(join(options.peers ?? '', 'litellm/bin/prisma'), constants.X_OK);
  } catch {
    const steps =
      "litellm/bin/pip install 'litellm[extra-proxy]', then prisma generate, which downloads its engine";
    throw new NotInstalledError(steps);
  }
}

async function startProxy(
  { resources, upstream, dir, options }: Surroundings,
  settings: Record<string, string>,
): Promise<{ url: string; program: Program; version: string }> {
  const folders = options.peers ? [join(options.peers, 'litellm/bin')] : [];
  const howToInstall =
    "python3 -m venv litellm && litellm/bin/pip install 'litellm[proxy]' in the folder of --peers";
  const command = findProgram('litellm', folders, howToInstall);
  const port = await findFreePort();
  const config = join(dir, `litellm-${port}.yaml`);
  await writeFile(config, renderConfig(upstream));
  const args = ['--config', config, '--port', String(port), '--host', '127.0.0.1', '--num_workers', '1'];
  const env = { LITELLM_LOCAL_MODEL_COST_MAP: 'True', HOME: dir, ...settings };
  const program = startProgram(resources, { name: 'LiteLLM', command, args, env });
  await program.expect(untilListening(port), startsWithinMs);
  const version = readVersion(join(dirname(command), 'python'));
  return { url: `http://127.0.0.1:${port}/v1/chat/completions`, program, version };
}

function readVersion(python: string): string {
  const script = "from importlib.metadata import version; print(version('litellm'))";
  return execFileSync(python, ['-c', script], { encoding: 'utf8' }).trim();
}

// Returns the configuration as JSON, which is valid YAML.
function renderConfig(upstream: string): string {
  const prices = { input_cost_per_token: 1.5e-7, output_cost_per_token: 6e-7 };
  const openai = { model: 'openai/*', api_base: `${upstream}/v1`, api_key: 'sk-benchmark', ...prices };
  return JSON.stringify({
    model_list: [{ model_name: '*', litellm_params: openai }],
    litellm_settings: { telemetry: false, num_retries: 0 },
    general_settings: { master_key: masterKey },
  });
}
