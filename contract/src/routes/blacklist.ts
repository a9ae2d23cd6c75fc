import { z } from 'zod';
import { exportFormat, exportMediaTypes } from '../exports.ts';
import { hasHiddenCharacters } from '../fold-text.ts';
import { idParams, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

const reasonMax = 200;
const descriptionMax = 1_000;
const patternMax = 2_000;

const both = 'Provider key and reason are required';

/** An empty pattern blocks a whole provider. Whitespace is rejected, so that no provider is blocked by accident. */
export const modelPattern = z
  .string()
  .refine((text) => text === '' || text.trim() !== '', 'Model pattern is required for partial blocking')
  .trim()
  .max(patternMax)
  .refine((text) => !hasHiddenCharacters(text), 'Model pattern must not contain invisible characters');

/**
 * Name with `*` for any characters, or several names in braces: `{gpt-4o,o1*}`. Missing, `null` or empty means all
 * models.
 */
export const addBlacklistEntryBody = z.strictObject({
  provider_key: z.string(both).trim().min(1, both).max(100),
  model_pattern: modelPattern.nullish(),
  reason: z.string(both).trim().min(1, both).max(reasonMax),
  description: z.string().trim().max(descriptionMax).nullish(),
});

const named = 'Both provider key and model name are required';

export const checkBlacklistBody = z.strictObject({
  provider_key: z.string(named).trim().min(1, named).max(100),
  model_name: z.string(named).trim().min(1, named).max(200),
});

export const blacklistEntry = z.object({
  id: z.number().int(),
  provider_key: z.string(),
  model_pattern: z.string().nullable(),
  reason: z.string(),
  description: z.string().nullable(),
  blocked_by_user_name: z.string().nullable(),
  created_at: instant,
});

export type BlacklistEntry = z.infer<typeof blacklistEntry>;

export const blacklistSummary = z.object({
  total_entries: z.number().int(),
  providers_affected: z.array(z.string()),
  complete_provider_blocks: z.array(z.string()),
  /** `provider: pattern`. */
  model_specific_blocks: z.array(z.string()),
});

export const blacklistCheck = z.object({
  is_blacklisted: z.boolean(),
  provider_key: z.string(),
  model_name: z.string(),
  reason: z.string().nullable(),
});

const read = { surface: 'management', permission: 'blacklist.read' } as const;
const write = { surface: 'management', permission: 'blacklist.write' } as const;

export const blacklistRoutes = defineRoutes({
  listBlacklist: {
    ...read,
    method: 'GET',
    path: '/admin/blacklist',
    summary: 'List the blacklist entries of the tenant, newest first',
    response: z.array(blacklistEntry),
  },
  exportBlacklist: {
    ...read,
    method: 'GET',
    path: '/admin/blacklist/export',
    summary: 'Export all entries that match the filters, newest first; one export at a time per tenant',
    request: {
      query: z.strictObject({
        provider_key: z.string().max(100).optional(),
        search: z.string().max(200).optional(),
        format: exportFormat,
      }),
    },
    response: z.string(),
    download: exportMediaTypes,
  },
  addBlacklistEntry: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/blacklist',
    summary: 'Block a provider, or its models that match a pattern',
    request: { body: addBlacklistEntryBody },
    response: blacklistEntry,
    status: 201,
  },
  removeBlacklistEntry: {
    ...write,
    method: 'DELETE',
    path: '/admin/blacklist/{id}',
    summary: 'Remove a blacklist entry',
    request: { params: idParams },
    response: z.undefined(),
    status: 204,
  },
  checkBlacklist: {
    ...read,
    method: 'POST',
    path: '/admin/blacklist/check',
    summary: 'Check whether a model is blocked, and why',
    request: { body: checkBlacklistBody },
    response: blacklistCheck,
  },
  getBlacklistSummary: {
    ...read,
    method: 'GET',
    path: '/admin/blacklist/summary',
    summary: 'Get the number of blocked providers and models',
    response: z.object({ summary: blacklistSummary }),
  },
  listEnabledModels: {
    ...read,
    method: 'GET',
    path: '/admin/blacklist/enabled-models',
    summary: "List the models that the tenant's active instances enable, by provider",
    response: z.array(z.object({ provider_key: z.string(), enabled_models: z.array(z.string()) })),
  },
});
