import type { EndpointForm } from '#domain/provider-endpoint.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { Dialect, ModelFacts } from '#protocols/canonical/request.ts';
import type { Discovery } from './discovery.ts';

/** A vendor: its endpoint, protocols and authentication. */
export interface Provider {
  readonly displayName: string;
  /** Name of the icon in the console. */
  readonly icon: string;
  /** Root of the vendor's API if an instance sets none; `null` if each instance must set its own. */
  readonly defaultEndpoint: string | null;
  /** Example that the form shows if `defaultEndpoint` is `null`. */
  readonly endpointExample?: string;
  /** Endpoint form of its instances. */
  readonly endpointForm: EndpointForm;
  /** Models that forms suggest; `defaultModel` is selected initially. */
  readonly models: readonly string[];
  readonly defaultModel: string;
  /** Completion service for callers of any protocol. */
  readonly chat: ChatService;
  /** Services in other protocols, for callers that use those protocols. */
  readonly alsoSpeaks?: readonly ChatService[];
  readonly embeddings?: Service;
  readonly discovery: Discovery;
  /** Whether an instance can work without a key, as self-hosted servers do. */
  readonly isKeyOptional: boolean;
  /** Whether this installation itself serves the vendor, at an origin defined in code that no database row can set. */
  readonly isBuiltIn?: boolean;
  /** Whether models have names chosen by administrators, so that an alias may identify the actual model. */
  readonly namesDeployments?: boolean;
  /** Facts about the vendor's models that `model-facts.json` does not contain, by model name without its tag. */
  readonly modelFacts?: Readonly<Record<string, ModelFacts>>;
  /** Tokens that the vendor adds to each request and counts as input; absent if it adds none. */
  readonly addedTokens?: AddedTokens;
  /** Returns the headers that authenticate a request. */
  authorize(apiKey: string): Record<string, string>;
}

/** Maximum difference between counted and sent tokens in recorded responses. */
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
  /**
   * Whether the vendor's reasoning models follow OpenAI's rules: developer messages instead of system messages, and
   * no sampling parameters.
   */
  readonly hasOpenaiModels?: boolean;
  /**
   * Models that get `reasoning_effort`: all of them, or those not known to lack reasoning; by default, those known to
   * reason.
   */
  readonly takesReasoningEffort?: 'always' | 'unless-known';
  readonly dialect?: Omit<Dialect, 'fitReasoningEffort'>;
  /**
   * Whether the service accepts OpenAI's tools of the types `custom`, `namespace` and `tool_search`. Vendors that
   * support only a part of the Responses API receive functions instead, like vendors of chat completions.
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
