import type { ComparisonResult } from '@sluice/contract';

/** What an answer is called: by its provider and model, and by its letter where it was or is blind. */
export function nameAnswer({ label, provider_name, model_name }: ComparisonResult): {
  title: string;
  model: string | null;
} {
  if (model_name === null) return { title: `Answer ${label}`, model: null };
  return { title: label === null ? `${provider_name}` : `${label}: ${provider_name}`, model: model_name };
}
