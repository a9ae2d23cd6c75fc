import { findFacts } from '#gateway/snapshot/model-facts.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { EncodedRequest, RequestTarget } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import { makeToolNamesPortable, nameForCaller } from '#protocols/translation/tool-names.ts';
import { createEffortFitter } from '#providers/model-facts/reasoning-effort.ts';
import type { ChatService } from '#providers/provider.ts';
import { type ProviderKey, providers } from '#providers/registry.ts';
import { callerProtocols } from '#test/requests/through-callers.ts';
import { contents } from './contents.ts';
import { unknownName } from './every-field.ts';
import { type Feature, plainRequests } from './feature.ts';
import { responseOptions } from './response-options.ts';
import { tools } from './tools.ts';
import { unwarnedFields } from './unwarned-fields.ts';

type Caller = (typeof callerProtocols)[number];

export type Outcome =
  | { readonly kind: 'as is' | 'carried' | 'lost' }
  | { readonly kind: 'warned'; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly param: string | null; readonly message: string };

interface Upstream {
  readonly title: string;
  readonly key: ProviderKey;
  readonly service: ChatService | undefined;
  readonly model: string;
  readonly thinker: string;
}

/** One vendor per protocol, with models that support the feature. */
export const upstreams: Readonly<Record<ProtocolId, Upstream>> = {
  'openai-chat': {
    title: 'chat completions',
    key: 'openai',
    service: providers.openai.chat,
    model: 'gpt-4.1',
    thinker: 'gpt-5.1',
  },
  'openai-responses': {
    title: 'responses',
    key: 'openai',
    service: providers.openai.alsoSpeaks?.[0],
    model: 'gpt-4.1',
    thinker: 'gpt-5.1',
  },
  'anthropic-messages': {
    title: 'Anthropic',
    key: 'anthropic',
    service: providers.anthropic.chat,
    model: 'claude-sonnet-4-5',
    thinker: 'claude-sonnet-4-5',
  },
  gemini: {
    title: 'Gemini',
    key: 'google',
    service: providers.google.chat,
    model: 'gemini-2.5-flash',
    thinker: 'gemini-2.5-flash',
  },
  cohere: {
    title: 'Cohere',
    key: 'cohere',
    service: providers.cohere.chat,
    model: 'command-a-03-2025',
    thinker: 'command-a-reasoning-08-2025',
  },
  ollama: {
    title: 'Ollama',
    key: 'ollama',
    service: providers.ollama.chat,
    model: 'llama3.2',
    thinker: 'qwen3',
  },
};
const upstreamIds = Object.keys(upstreams) as ProtocolId[]; // safe because the record's type lists each protocol once

export const features = [...contents, ...tools, ...responseOptions];

/**
 * Returns the outcome of a feature by running the translation; `null` if the caller's protocol does not have the
 * feature.
 */
export function findOutcome(feature: Feature, caller: Caller, upstream: ProtocolId): Outcome | null {
  const fields = feature.fields[caller.id];
  if (fields === undefined) return null;
  if (caller.id === upstream) return { kind: 'as is' };
  const plain = encode(caller, upstream, {}, feature);
  const asked = encode(caller, upstream, fields, feature);
  if (!plain.ok) throw new Error(`a plain request is rejected: ${plain.problem.message}`);
  if (!asked.ok) return { kind: 'refused', ...asked.problem };
  const warnings = asked.warnings.filter((warning) => !plain.warnings.includes(warning));
  if (warnings.length > 0) return { kind: 'warned', warnings };
  const isSame = JSON.stringify(asked.body) === JSON.stringify(plain.body);
  return { kind: isSame ? 'lost' : 'carried' };
}

function encode(caller: Caller, upstream: ProtocolId, fields: object, feature: Feature): EncodedRequest {
  const { key, service, model, thinker } = upstreams[upstream];
  const named = feature.needsReasoning ? thinker : model;
  const isInPath = caller.id === 'gemini';
  const body = { ...(!isInPath && { model: named }), ...plainRequests[caller.id], ...fields };
  const path = isInPath ? { model: named, isStream: false } : { model: null, isStream: null };
  const parsed = caller.caller.parseRequest(Buffer.from(JSON.stringify(body)), path);
  if (!parsed.ok) return parsed;
  const decoded = parsed.request.toCanonical();
  if (!decoded.ok) return decoded;
  const target = { ...describeTarget(key, service, named), isStream: false };
  return nameForCaller(
    protocols[upstream].provider.encodeRequest(makeToolNamesPortable(decoded.request).request, target),
    caller.caller.parameterNames,
  );
}

/** Describes a model at a vendor, with the gateway's data before the first request. */
export function describeTarget(
  providerKey: ProviderKey,
  service: ChatService | undefined,
  model: string,
): Omit<RequestTarget, 'isStream'> {
  const facts = findFacts({ providerKey, aliases: {} }, model);
  return {
    model,
    defaultOutputTokensMax: 4_096,
    isReasoningModel: service?.hasOpenaiModels === true && facts?.reasoning === true,
    dialect: { ...service?.dialect, fitReasoningEffort: createEffortFitter(service ?? {}, facts) },
    ...(facts && { facts }),
  };
}

const introduction = `# Translation

Callers use one of four protocols, and providers use one of six. If caller and provider use the same protocol, bytes pass unchanged except for the
edits listed below. Otherwise, the request is decoded and encoded for the provider. This page shows the result for each feature that a caller may use.
The page is generated by \`server/src/protocols/translation-page.test.ts\`, which fails if the code behaves differently. To update the page, run
\`npx vitest run --project unit-pure translation-page --update=all\`.

- **as is**: the caller's own bytes.
- **yes**: translated to the provider's protocol.
- **warned**: the feature is left out or only partially translated, and the header \`x-sluice-warning\` names it.
- **400**: the provider does not support the feature and the answer would differ, so the request is rejected. The messages are listed below each
  table. If a model is enabled at several instances, an instance that supports the feature is chosen instead.

Models have their own limits, such as the reasoning efforts that they accept. The tables apply to common models from OpenAI, Anthropic, Google, Cohere
and Ollama. Other vendors use OpenAI's chat completions, with the differences in their rows of the provider table. Of the vendors that also serve
OpenAI's responses, only OpenAI and Azure OpenAI accept tools of the types \`custom\`, \`namespace\` and \`tool_search\`. For all other vendors, these tools
are translated to functions.

The fields that a model accepts are determined by the provider's previous responses, then by data about models, then by the vendor's row, but never by
parts of the model's name ([decision 0022](decisions/0022-what-a-model-accepts.md)). If a provider rejects an optional field of a translated request
(sampling, reasoning, penalties, end user), the request is repeated without the field, with a warning, and the field is left out for a day. If the
provider rejects a field that the caller sent in the provider's own protocol, the error is returned.

Sluice adds an output cap to a request without a cap only if a limit allows less than the model's maximum. Anthropic requires a cap and gets the
model's maximum. OpenAI and Azure get each cap as \`max_completion_tokens\`.

The column "responses" also applies if a model accepts a request only at \`/responses\`, such as tools with a reasoning effort at OpenAI and Azure.

## Within one protocol

Requests are edited where the provider would otherwise reject them or lose a field:

- The model's name, the gateway's own fields, the output cap and the request for usage in a stream are edited.
- Reasoning from earlier turns is moved to the field in the vendor's row, or removed if the row has no field. Vendors without a row (vLLM, Hugging
  Face, Together, Fireworks, Perplexity, custom endpoints) get the reasoning back in the field that they sent it in.
- Signatures, encrypted reasoning and item ids from other models are removed. OpenAI and Azure get only reasoning that OpenAI signed or stores. Other
  Responses endpoints do not get reasoning that OpenAI encrypted. Anthropic does not get thinking from other vendors, and Google does not get
  signatures from other protocols.
- Call ids are converted to the form that the vendor requires, and fields that the vendor names differently are renamed (\`seed\`,
  \`max_completion_tokens\`).

Responses are passed on byte for byte, including a provider's own terminal frame such as \`response.failed\`, whose reason is recorded in the log
row. An error is replaced only if it concerns the gateway's account or contains its key. If a stream breaks off, an error in the format of the
protocol is added.
`;

/** Generates docs/TRANSLATION.md from the behavior of the code. */
export function writePage(): string {
  return [introduction, ...callerProtocols.map(writeSection), writeUnwarned()].join('\n');
}

function writeUnwarned(): string {
  const rows = unwarnedFields.map(({ fields, reason }) => {
    const all = Object.values(fields).flat();
    const names = new Set(all.filter((name) => !name.endsWith(unknownName)));
    return `| ${[...names].map((name) => `\`${name}\``).join(', ')} | ${reason} |`;
  });
  return [
    '## Fields without a warning\n',
    'Every other field of a request is translated, named in `x-sluice-warning`, or causes the request to be rejected. Fields that are `null`, `false` or',
    'an empty list count as absent. `server/src/protocols/every-field.test.ts` tests every field.\n',
    '| fields | reason |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const headings: Partial<Record<ProtocolId, string>> = {
  'openai-chat': "Callers of OpenAI's chat completions",
  'openai-responses': "Callers of OpenAI's responses",
  'anthropic-messages': "Callers of Anthropic's messages",
  gemini: "Callers of Google's generateContent",
};

function writeSection(caller: Caller): string {
  const columns = upstreamIds.filter((id) => id !== caller.id);
  const rows = features.flatMap((feature) => {
    const outcomes = columns.map((id) => findOutcome(feature, caller, id));
    return outcomes[0] ? [`| ${[feature.name, ...outcomes.map(writeCell)].join(' | ')} |`] : [];
  });
  return [
    `## ${headings[caller.id]}\n`,
    `| | ${columns.map((id) => upstreams[id].title).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...writeRefusals(caller, columns),
    '',
  ].join('\n');
}

function writeCell(outcome: Outcome | null): string {
  if (outcome === null) return '';
  if (outcome.kind === 'carried') return 'yes';
  return outcome.kind === 'refused' ? '400' : outcome.kind;
}

function writeRefusals(caller: Caller, columns: readonly ProtocolId[]): string[] {
  const told = features.flatMap((feature) =>
    columns.flatMap((id) => {
      const outcome = findOutcome(feature, caller, id);
      return outcome?.kind === 'refused' ? [`- \`${outcome.param}\`: ${outcome.message}`] : [];
    }),
  );
  return [...new Set(told)];
}
