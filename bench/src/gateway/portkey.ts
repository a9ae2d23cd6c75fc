import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startProgram } from '../programs/program.ts';
import { findFreePort, untilListening } from '../programs/readiness.ts';
import { providerAt } from './provider.ts';
import { NotInstalledError, type Surroundings, type Target } from './subject.ts';

const entryPoint = '@portkey-ai/gateway/build/start-server.js';

/** Starts Portkey's gateway without keys, limits and logs, if it is installed. */
export async function startPortkey({ resources, upstream, options }: Surroundings): Promise<Target> {
  const script = findPortkey(options.peers);
  const port = await findFreePort();
  const args = [`--port=${port}`, '--headless'];
  const program = startProgram(resources, { name: 'Portkey', script, args });
  await program.expect(untilListening(port));
  const { url, headers } = providerAt(`http://127.0.0.1:${port}`);
  const routing = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` };
  const { version } = JSON.parse(readFileSync(new URL('../package.json', script), 'utf8'));
  return { url, headers: { ...headers, ...routing }, program, version };
}

function findPortkey(folder: string | null): URL {
  try {
    const from = folder ? join(folder, 'package.json') : import.meta.url;
    return pathToFileURL(createRequire(from).resolve(entryPoint));
  } catch {
    throw new NotInstalledError('npm install @portkey-ai/gateway in the folder of --peers');
  }
}
