import { z } from 'zod';

export const homeTabs = [
  { value: 'features', label: 'Features' },
  { value: 'pricing', label: 'Pricing' },
  { value: 'api', label: 'API Reference' },
  { value: 'docs', label: 'Docs' },
] as const;

export type HomeTab = (typeof homeTabs)[number]['value'];

/** The default is the first tab. */
export const homeSearch = z.object({
  tab: z
    .enum(homeTabs.map(({ value }) => value))
    .optional()
    .catch(undefined),
});
