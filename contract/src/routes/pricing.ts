import { z } from 'zod';
import { id } from '../ids.ts';
import { priceJson, usd } from '../money.ts';

export const modelName = z.string().trim().min(1).max(200);

/** Prices exclude the markup. `max_tokens` is the context size, if known. */
export const modelPricing = z.object({
  input_per_1k: z.number(),
  output_per_1k: z.number(),
  max_tokens: z.number().int().nullable(),
  price: priceJson,
});

export type ModelPricing = z.infer<typeof modelPricing>;

/** `null` means that the price is unknown, not that the model is free. */
export const pricing = z.object({
  markup_percentage: z.number(),
  models: z.record(z.string(), modelPricing.nullable()),
});

export type Pricing = z.infer<typeof pricing>;

export const priceEstimate = z.object({
  provider: z.string(),
  model: z.string(),
  input_tokens: z.number().int(),
  max_output_tokens: z.number().int(),
  provider_cost: usd,
  markup_percentage: z.number(),
  total_cost: usd,
});

export type PriceEstimate = z.infer<typeof priceEstimate>;

export const cheapestModel = modelPricing.extend({ provider: z.string(), model: z.string() });

export type CheapestModel = z.infer<typeof cheapestModel>;

/** Applies to one instance, or to a provider across all tenants. `null` resets to the list price. */
export const setPriceBody = z
  .strictObject({
    llm_provider_id: id.optional(),
    provider: modelName.optional(),
    model: modelName,
    price: priceJson.nullable(),
  })
  .refine(
    (body) => (body.llm_provider_id === undefined) !== (body.provider === undefined),
    'Specify an instance or a provider',
  );
