import type { EndpointForm } from '#domain/provider-endpoint.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { Dialect, ModelFacts } from '#protocols/canonical/request.ts';
import type { Discovery } from './discovery.ts';

export interface Provider {
  readonly displayName: string;
  readonly icon: string;
  /** Root URL of the vendor's API for instances that set none; `null` if each instance must set a URL. */
  readonly defaultEndpoint: string | null;
  /** Example that the form shows if `defaultEndpoint` is `null`. */
  readonly endpointExample?: string;
  readonly endpointForm: EndpointForm;
  /** Models that forms suggest. `defaultModel` is preselected. */
  readonly models: readonly string[];
  readonly defaultModel: string;
  readonly chat: ChatService;
  readonly alsoSpeaks?: readonly ChatService[];
  readonly embeddings?: Service;
  readonly discovery: Discovery;
  /** Whether instances can work without a key, as self-hosted servers do. */
  readonly isKeyOptional: boolean;
  /** Whether this installation runs the vendor itself, in which case no database row can set the vendor's URL. */
  readonly isBuiltIn?: boolean;
  /** Whether administrators choose the model names, in which case an alias may identify the actual model. */
  readonly namesDeployments?: boolean;
  /** Facts about the vendor's models that are missing in `model-facts.json`, by model name without its tag. */
  readonly modelFacts?: Readonly<Record<string, ModelFacts>>;
  /** Tokens that the vendor adds to each request and counts as input. Absent if the vendor adds no tokens. */
  readonly addedTokens?: AddedTokens;
  authorize(apiKey: string): Record<string, string>;
}

/** Input tokens that the vendor counts in addition to those sent: the maximum in recorded responses. */
export interface AddedTokens {
  readonly always?: number;
  readonly withTools?: number;
}

export interface Service {
  readonly protocol: ProtocolId;
  /** Returns the path below the root of an endpoint; `null` if endpoints of that form do not serve the operation. */
  readonly path: (model: string, isStream: boolean, root: string) => string | null;
}

export interface ChatService extends Service {
  /**
   * Whether the vendor's reasoning models follow OpenAI's rules: developer messages instead of system messages, and
   * no sampling parameters.
   */
  readonly hasOpenaiModels?: boolean;
  /**
   * Models that receive `reasoning_effort`: all models, or models not known to lack reasoning. Defaults to models
   * known to reason.
   */
  readonly takesReasoningEffort?: 'always' | 'unless-known';
  readonly dialect?: Omit<Dialect, 'fitReasoningEffort'>;
  /**
   * Whether the service accepts OpenAI's tools of the types `custom`, `namespace` and `tool_search`. Vendors with
   * only a part of the Responses API receive functions instead, like vendors of chat completions.
   */
  readonly takesOpenaiTools?: boolean;
  readonly tokenCountPath?: (model: string) => string;
  /** Returns the path for the compaction of a conversation; `null` if endpoints of that form do not serve it. */
  readonly compactPath?: (root: string) => string | null;
  /** Headers that are forwarded from callers in the same protocol. */
  readonly callerHeaders?: readonly string[];
}

export const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });
