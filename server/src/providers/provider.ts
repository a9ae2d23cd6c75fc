import type { EndpointForm } from '#domain/provider-endpoint.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { Dialect, ModelFacts } from '#protocols/canonical/request.ts';
import type { Discovery } from './discovery.ts';

/** A vendor: its endpoint, protocols and authentication. */
export interface Provider {
  readonly displayName: string;
  /** Name of the icon in the console. */
  readonly icon: string;
  /** Root of its API if an instance sets none; `null` if each instance must set its own. */
  readonly defaultEndpoint: string | null;
  /** Suggested by the form if `defaultEndpoint` is `null`. */
  readonly endpointExample?: string;
  /** Endpoint form of its instances. */
  readonly endpointForm: EndpointForm;
  /** Suggestions in forms: some of its models, and the initial one. */
  readonly models: readonly string[];
  readonly defaultModel: string;
  /** Completion service for callers of any protocol. */
  readonly chat: ChatService;
  /** Further protocols in which it serves completions, for callers that use them. */
  readonly alsoSpeaks?: readonly ChatService[];
  readonly embeddings?: Service;
  readonly discovery: Discovery;
  /** Whether an instance can work without a key, as self-hosted servers do. */
  readonly isKeyOptional: boolean;
  /** Whether this installation serves it, at an origin defined in code that no database row can name. */
  readonly isBuiltIn?: boolean;
  /** Whether models are called by names that administrators chose, so that an alias may identify the actual model. */
  readonly namesDeployments?: boolean;
  /** Facts about the vendor's models that `model-facts.json` does not contain, by model name without its tag. */
  readonly modelFacts?: Readonly<Record<string, ModelFacts>>;
  /** Tokens that the vendor adds to each request and counts as input; absent if none. */
  readonly addedTokens?: AddedTokens;
  /** Returns the headers that authenticate a request. */
  authorize(apiKey: string): Record<string, string>;
}

/** Maximum excess of counted over sent tokens in recorded responses. */
export interface AddedTokens {
  readonly always?: number;
  /** Additional tokens for requests with tools. */
  readonly withTools?: number;
}

/** A vendor's service for one operation. */
export interface Service {
  readonly protocol: ProtocolId;
  /** Returns the path below an endpoint's root; `null` if endpoints of that form do not serve it. */
  readonly path: (model: string, isStream: boolean, root: string) => string | null;
}

/** A vendor's completion service. */
export interface ChatService extends Service {
  /** Whether its reasoning models follow OpenAI's rules: developer texts instead of system texts, no sampling. */
  readonly hasOpenaiModels?: boolean;
  /** Whether `reasoning_effort` is sent to all models, or to those that are not known to lack reasoning; else to those known to reason. */
  readonly takesReasoningEffort?: 'always' | 'unless-known';
  readonly dialect?: Omit<Dialect, 'fitReasoningEffort'>;
  /**
   * Whether it takes OpenAI's tools of the types `custom`, `namespace` and `tool_search`. Vendors that serve a part of
   * the Responses API get functions in their place, as vendors of chat completions do.
   */
  readonly takesOpenaiTools?: boolean;
  /** Path of the free token count for requests of this protocol. */
  readonly tokenCountPath?: (model: string) => string;
  /** Path of the compaction of a conversation; `null` if endpoints of that form do not serve it. */
  readonly compactPath?: (root: string) => string | null;
  /** Headers of same-protocol callers that this vendor uses. */
  readonly callerHeaders?: readonly string[];
}

export const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });
