export interface ConnectionFailure {
  /** HTTP status; `null` if there was no response. */
  readonly status: number | null;
  /** Whether the provider reported an invalid key in any form. */
  readonly isKeyRefused?: boolean;
  readonly hasWords?: boolean;
  readonly cause?: 'timeout' | 'network' | 'other';
}

/** Uses the same wording for every vendor. */
export function formatConnectionFailure(failure: ConnectionFailure, vendor: string): string {
  const { status, isKeyRefused, hasWords, cause } = failure;
  if (isKeyRefused) return `Invalid API key. Please check your ${vendor} API key.`;
  if (status === 401) return 'Authentication failed. Please verify your API key.';
  if (status === 403) return 'Access forbidden. Your API key may not have the required permissions.';
  if (status === 429) return 'Rate limit exceeded. Please try again later.';
  if (status !== null && status >= 500) return `${vendor} service error. Please try again later.`;
  if (cause === 'timeout') return 'Connection timeout. Please check your internet connection.';
  if (cause === 'network') return 'Network error. Please check your connection and try again.';
  // A successful response without a list of models has no error message.
  if (status !== null && status < 300) return 'Unknown error occurred.';
  if (hasWords) return `${vendor} API error. Please verify your settings and try again.`;
  return 'Connection failed. Please check your configuration.';
}
