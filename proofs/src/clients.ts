import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, llmProvidersRoutes } from '@sluice/contract';
import { startSandbox } from '@sluice/sandbox';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import { judge, type Outcome } from './clients/judge.ts';
import { type ClientProgram, programs } from './clients/programs.ts';
import { installClient, runClient, startClosedProxy } from './clients/run-client.ts';
import {
  type Run,
  type Scene,
  type SceneProvider,
  scenes,
  startSceneProvider,
} from './clients/scene-provider.ts';
import type { ProofResult } from './proof.ts';

interface Vendor {
  readonly key: string;
  readonly model: string;
  readonly substitutes?: readonly string[];
  readonly path: string;
}

const vendors: Readonly<Record<ProtocolId, Vendor>> = {
  'openai-chat': { key: 'vllm', model: 'qwen3-32b', path: '/v1' },
  'openai-responses': { key: 'openai', model: 'gpt-5.1-codex', path: '/v1' },
  'anthropic-messages': { key: 'anthropic', model: 'claude-sonnet-5', path: '' },
  gemini: {
    key: 'google',
    model: 'gemini-3-pro-preview',
    substitutes: ['gemini-3.1-pro-preview', 'gemini-3.1-pro-preview-customtools'],
    path: '',
  },
  cohere: { key: 'cohere', model: 'command-a-reasoning-08-2025', path: '' },
  ollama: { key: 'ollama', model: 'gpt-oss:20b', path: '' },
};
// safe because the record has one key per protocol
const protocols = Object.keys(vendors) as ProtocolId[];

interface Played extends Outcome {
  readonly client: string;
  readonly protocol: ProtocolId | null;
  readonly scene: Scene | null;
}

/** Runs published versions of coding clients through the gateway, against every provider protocol. */
export async function proveClients(): Promise<ProofResult> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-clients-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const provider = await startSceneProvider(sandbox.origin);
  cleanup.defer(() => provider.close());
  const proxy = await startClosedProxy();
  cleanup.defer(() => proxy.close());
  const sluice = await startProduct(provider);
  cleanup.defer(() => sluice.remove());
  const stage = { folder, provider, proxy: proxy.url, sluice };
  // Runs execute concurrently, since clients spend most of a run waiting.
  const plays = Object.entries(programs).map(([name, program]) => playClient(stage, name, program));
  const played = (await Promise.all(plays)).flat();
  return {
    title: 'coding clients work with every protocol of providers',
    holds: played.every(({ holds }) => holds),
    text: describe(played, proxy.hosts),
  };
}

async function startProduct({ origin }: SceneProvider): Promise<SluiceProcess> {
  const sluice = await createSluice({
    SLUICE_WORKERS: '1',
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  });
  await sluice.start();
  const client = createClient(llmProvidersRoutes, await signIn(sluice));
  for (const [protocol, { key, model, path, substitutes = [] }] of Object.entries(vendors))
    await client.createLlmProvider({
      body: {
        provider_registry_id: key,
        provider_instance_name: protocol,
        api_endpoint: origin + path,
        api_key: 'sk-outside',
        enabled_models: [model, ...substitutes],
      },
    });
  return sluice;
}

interface Stage {
  readonly folder: string;
  readonly provider: SceneProvider;
  readonly proxy: string;
  readonly sluice: SluiceProcess;
}

async function playClient(stage: Stage, client: string, program: ClientProgram): Promise<Played[]> {
  const { folder, provider, proxy, sluice } = stage;
  let command: string;
  try {
    command = await installClient(folder, client, program);
  } catch (error) {
    const text = `${program.packageName}@${program.version} cannot be installed`;
    return [
      { client, protocol: null, scene: null, holds: false, text, line: String(error).split('\n')[0] ?? '' },
    ];
  }
  const played: Played[] = [];
  for (const protocol of protocols)
    for (const scene of scenes) {
      const mark = `${client}/${protocol}/${scene}`;
      const run: Run = { mark, scene, call: program.call, turns: [], refusals: [] };
      provider.begin(run);
      const connection = { origin: sluice.origin, apiKey: sluice.apiKey, model: vendors[protocol].model };
      const prompt = `Read note.txt and name the bird. This is ${mark}.`;
      const printed = await runClient(folder, command, program, { connection, prompt, scene, proxy });
      const outcome = judge(protocol, run, printed);
      console.log(`${mark}: ${outcome.text}`);
      played.push({ client, protocol, scene, ...outcome });
    }
  return played;
}

function describe(played: readonly Played[], hosts: ReadonlyMap<string, number>): string {
  const versions = Object.entries(programs).map(
    ([name, { packageName, protocol, version }]) =>
      `- ${name}: \`${packageName}@${version}\`, calls the gateway with the protocol ${protocol}`,
  );
  const rows = played.map(
    ({ client, protocol, scene, holds, text, line }) =>
      `| ${client} | ${protocol ?? 'none'} | ${scene ?? 'none'} | ${holds ? text : `**${text}**`} | ${quote(line)} |`,
  );
  const refused = [...hosts.keys()].toSorted().map((host) => `\`${host}\``);
  return `Clients from the npm registry run headless, each in an empty home folder with telemetry and updates off, and call the gateway with
a key of the product. Each model belongs to a vendor of another protocol; the provider behind the gateway is the sandbox, which rejects the
same requests as the vendor.

${versions.join('\n')}

Scenes:

- tools: the provider calls the client's shell with \`cat note.txt\`; the next request must contain the note's text, and the client must print the answer;
- thinking: the same with reasoning, and its signature where the vendor signs it;
- overflow: the provider rejects each prompt as too long, with its vendor's message; the client must name the reason and
  stop, or shorten the conversation and continue;
- cut: the first stream breaks within its text; the client must repeat the request or report the break.

Requests of the clients to other hosts are blocked${refused.length > 0 ? `: ${refused.join(', ')}` : ' (no such request was sent)'}.

| client | provider's protocol | scene | outcome | printed |
|---|---|---|---|---|
${rows.join('\n')}`;
}

function quote(line: string): string {
  return `\`${line.slice(0, 160).replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}
