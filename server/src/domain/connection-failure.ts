/** How a try of a provider's endpoint and key went wrong. */
export interface ConnectionFailure {
  /** What the provider answered; `null` when it did not. */
  readonly status: number | null;
  /** It said in whatever words that the key is wrong. */
  readonly isKeyRefused?: boolean;
  /** It gave a reason. */
  readonly hasWords?: boolean;
  /** Why there was no answer. */
  readonly cause?: 'timeout' | 'network' | 'other';
}

/** The text for an administrator, in the same words for every vendor. */
export function formatConnectionFailure(failure: ConnectionFailure, vendor: string): string {
  const { status, isKeyRefused, hasWords, cause } = failure;
  if (isKeyRefused) return `Invalid API key. Please check your ${vendor} API key.`;
  if (status === 401) return 'Authentication failed. Please verify your API key.';
  if (status === 403) return 'Access forbidden. Your API key may not have the required permissions.';
  if (status === 429) return 'Rate limit exceeded. Please try again later.';
  if (status !== null && status >= 500) return `${vendor} service error. Please try again later.`;
  if (cause === 'timeout') return 'Connection timeout. Please check your internet connection.';
  if (cause === 'network') return 'Network error. Please check your connection and try again.';
  // It answered well, but with no list of models, so it has said nothing that could be told.
  if (status !== null && status < 300) return 'Unknown error occurred.';
  if (hasWords) return `${vendor} API error. Please verify your settings and try again.`;
  return 'Connection failed. Please check your configuration.';
}
