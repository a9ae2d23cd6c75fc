import type { ComparisonResult } from '@sluice/contract';

/** Names an answer by provider and model, and by its letter in a blind comparison. */
export function nameAnswer({ label, provider_name, model_name }: ComparisonResult): {
  title: string;
  model: string | null;
} {
  if (model_name === null) return { title: `Answer ${label}`, model: null };
  return { title: label === null ? `${provider_name}` : `${label}: ${provider_name}`, model: model_name };
}
