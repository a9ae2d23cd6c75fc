import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { ReasoningEffort } from '#protocols/canonical/request.ts';
import { google } from '#providers/google.ts';
import { openaiCompatible, openaiResponses } from '#providers/openai-compatible.ts';
import type { ChatService } from '#providers/provider.ts';
import { providers } from '#providers/registry.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { startOtherProvider } from './other-provider.ts';
import { replaceEntries } from './replace-entries.ts';

interface Vendor {
  readonly providerKey: string;
  readonly isVersioned: boolean;
  readonly embeds: boolean;
  /** OpenAI's chat completions keep the reasoning to themselves. */
  readonly showsReasoning: boolean;
}

/** A vendor for each protocol, all of them the sandbox. */
const vendors: Readonly<Record<ProtocolId, Vendor>> = {
  'openai-chat': { providerKey: 'custom', isVersioned: true, embeds: true, showsReasoning: false },
  'openai-responses': { providerKey: 'responses', isVersioned: true, embeds: false, showsReasoning: true },
  'anthropic-messages': { providerKey: 'anthropic', isVersioned: false, embeds: false, showsReasoning: true },
  gemini: { providerKey: 'gemini', isVersioned: false, embeds: true, showsReasoning: true },
  cohere: { providerKey: 'cohere', isVersioned: false, embeds: true, showsReasoning: true },
  ollama: { providerKey: 'ollama', isVersioned: false, embeds: true, showsReasoning: true },
};

// safe because the record's type names each protocol once
export const upstreamProtocols = Object.keys(vendors) as ProtocolId[];
export const embeddingProtocols = upstreamProtocols.filter((protocol) => vendors[protocol].embeds);
export const reasoningProtocols = upstreamProtocols.filter((protocol) => vendors[protocol].showsReasoning);

/** What the models of each upstream do, by the name a test has for it. */
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

/** The name by which a caller asks the model of one upstream. */
export const modelOf = (protocol: ProtocolId, purpose: Purpose) => `${protocol}.${purpose}`;

/** The real worker before two providers that speak every protocol, with names of their own for each. */
export async function startBeforeEveryProtocol(): Promise<TestGateway> {
  const removeVendors = addVendors();
  const other = await startOtherProvider();
  const gateway = await startGateway({
    // Answers to callers that leave are canceled, which shows that the provider is told.
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
 * Vendors of responses have chat completions too, and prefer these for all but callers of responses; and what a model
 * of Google's can do is told by a name that none of the sandbox's has.
 */
function addVendors(): () => void {
  const isReasoningModel = (model: string) => model === models.reason;
  const fitReasoningEffort = (_: string, effort: ReasoningEffort) => effort;
  const responses = openaiCompatible({
    displayName: 'Responses',
    icon: 'custom',
    defaultEndpoint: null,
    chat: { ...openaiResponses, isReasoningModel, dialect: { fitReasoningEffort } },
  });
  const path: ChatService['path'] = (model, isStream, root) =>
    google.chat.path(model === geminiThinker ? models.reason : model, isStream, root);
  const gemini = { ...google, chat: { ...google.chat, path } };
  return replaceEntries(providers, { responses, gemini });
}
