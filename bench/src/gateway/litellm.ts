import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '../programs/program.ts';
import { findFreePort, untilListening } from '../programs/readiness.ts';
import { findProgram } from './find-program.ts';
import type { Surroundings, Target } from './subject.ts';

const key = 'sk-benchmark-master-key';
const startsWithinMs = 120_000;

/**
 * Starts LiteLLM's proxy with one worker and a master key, without a database, which its keys, limits and log would
 * need.
 */
export async function startLitellm({ resources, upstream, dir, options }: Surroundings): Promise<Target> {
  const folders = options.peers ? [join(options.peers, 'litellm/bin')] : [];
  const howToInstall =
    "python3 -m venv litellm && litellm/bin/pip install 'litellm[proxy]' in the folder of --peers";
  const command = findProgram('litellm', folders, howToInstall);
  const port = await findFreePort();
  const config = join(dir, 'litellm.yaml');
  await writeFile(config, renderConfig(upstream));
  const args = ['--config', config, '--port', String(port), '--host', '127.0.0.1', '--num_workers', '1'];
  // Otherwise it downloads prices from the internet at startup.
  const env = { LITELLM_LOCAL_MODEL_COST_MAP: 'True', HOME: dir };
  const program = startProgram(resources, { name: 'LiteLLM', command, args, env });
  await program.expect(untilListening(port), startsWithinMs);
  return {
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
    program,
  };
}

// JSON is valid YAML.
function renderConfig(upstream: string): string {
  const openai = { model: 'openai/*', api_base: `${upstream}/v1`, api_key: 'sk-benchmark' };
  return JSON.stringify({
    model_list: [{ model_name: '*', litellm_params: openai }],
    litellm_settings: { telemetry: false, num_retries: 0 },
    general_settings: { master_key: key },
  });
}
