import type { ProtocolId } from '#protocols/canonical/content.ts';
import { openaiCompatible, openaiResponses } from '#providers/openai.ts';
import type { ChatService } from '#providers/provider.ts';
import { providers } from '#providers/registry.ts';
import { google } from '#providers/vendors.ts';
import { startGateway, type TestGateway } from '../console/gateway.ts';
import { replaceEntries } from '../database/replace-entries.ts';
import { startOtherProvider } from './other-provider.ts';

interface Vendor {
  readonly providerKey: string;
  readonly isVersioned: boolean;
  readonly embeds: boolean;
  /** Whether responses contain the reasoning. OpenAI's chat completions do not. */
  readonly showsReasoning: boolean;
}

/** Vendor for each protocol. All of them use the sandbox. */
const vendors: Readonly<Record<ProtocolId, Vendor>> = {
  'openai-chat': { providerKey: 'custom', isVersioned: true, embeds: true, showsReasoning: false },
  'openai-responses': { providerKey: 'responses', isVersioned: true, embeds: false, showsReasoning: true },
  'anthropic-messages': { providerKey: 'anthropic', isVersioned: false, embeds: false, showsReasoning: true },
  gemini: { providerKey: 'gemini', isVersioned: false, embeds: true, showsReasoning: true },
  cohere: { providerKey: 'cohere', isVersioned: false, embeds: true, showsReasoning: true },
  ollama: { providerKey: 'ollama', isVersioned: false, embeds: true, showsReasoning: true },
};

// safe because the record has one key per protocol
export const upstreamProtocols = Object.keys(vendors) as ProtocolId[];
export const embeddingProtocols = upstreamProtocols.filter((protocol) => vendors[protocol].embeds);
export const reasoningProtocols = upstreamProtocols.filter((protocol) => vendors[protocol].showsReasoning);

const models = {
  talk: 'sandbox-normal:tokens=12',
  cached: 'sandbox-normal:tokens=3,cached_tokens=2',
  call: 'sandbox-tool',
  'call-two': 'sandbox-tools',
  reason: 'sandbox-tool:reasoning_tokens=6',
  long: 'sandbox-normal:tokens=2000,interval_ms=5',
  busy: 'sandbox-rate-limited',
  shut: 'sandbox-refuse-key',
  break: 'sandbox-stream-error',
  inspect: 'sandbox-inspect',
  embed: 'sandbox-embedding',
};
export type Purpose = keyof typeof models | 'other';

const otherModel = 'other-model';
const geminiThinker = 'gemini-2.5-flash';

export const modelOf = (protocol: ProtocolId, purpose: Purpose) => `${protocol}.${purpose}`;

/** Starts a worker with two providers that support every protocol, with separate model names for each protocol. */
export async function startBeforeEveryProtocol(): Promise<TestGateway> {
  const removeVendors = addVendors();
  const other = await startOtherProvider();
  const gateway = await startGateway({
    // Cancels responses to disconnected callers immediately, which shows that the provider is notified.
    env: { SLUICE_ABANDONED_TIMEOUT: '0' },
    timeouts: { retriesMax: 0 },
    async seed(seed) {
      for (const protocol of upstreamProtocols) {
        const { providerKey, isVersioned } = vendors[protocol];
        const root = seed.sandboxOrigin;
        const own = protocol === 'gemini' ? { ...models, reason: geminiThinker } : models;
        await seed.addInstance({
          name: protocol,
          providerKey,
          endpoint: isVersioned ? `${root}/v1` : root,
          models: Object.values(own),
          aliases: Object.fromEntries(
            Object.entries(own).map(([purpose, model]) => [`${protocol}.${purpose}`, model]),
          ),
        });
        await seed.addInstance({
          name: `other-${protocol}`,
          providerKey,
          endpoint: isVersioned ? `${other.url}/v1` : other.url,
          models: [otherModel],
          aliases: { [`${protocol}.other`]: otherModel },
        });
      }
    },
  });
  const stop = async () => {
    await gateway.stop();
    await other.stop();
    removeVendors();
  };
  return { ...gateway, stop };
}

/**
 * Adds vendors. Those with the Responses protocol also support chat completions and prefer them unless the caller
 * uses Responses. The capabilities of Google's models depend on names that the sandbox does not have.
 */
function addVendors(): () => void {
  const responses = openaiCompatible({
    displayName: 'Responses',
    icon: 'custom',
    defaultEndpoint: null,
    modelFacts: { [models.reason]: { reasoning: true } },
    chat: { ...openaiResponses, hasOpenaiModels: true, takesOpenaiTools: true },
  });
  const path: ChatService['path'] = (model, isStream, root) =>
    google.chat.path(model === geminiThinker ? models.reason : model, isStream, root);
  const gemini = { ...google, chat: { ...google.chat, path } };
  return replaceEntries(providers, { responses, gemini });
}
