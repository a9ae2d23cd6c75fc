import {
  createIdentityProviderBody,
  type IdentityProvider,
  type MappingRule,
  parseDomain,
  updateIdentityProviderBody,
} from '@sluice/contract';
import { z } from 'zod';

export interface ProviderValues extends Record<string, unknown> {
  issuer: string;
  client_id: string;
  client_secret: string;
  domain: string;
  name: string;
  scopes: string;
  prompt: string;
  trusts_emails: boolean;
  is_enabled: boolean;
  is_shared: boolean;
  group_claim: string;
  default_role: string;
  mapping: MappingRule[];
}

const emptyToNull = (text: string) => (text === '' ? null : text);

/** Converts the form's fields to the contract's request body. */
export const providerForm = z
  .object({
    ...createIdentityProviderBody.shape,
    client_secret: z.string().trim(),
    domain: z.string().trim(),
  })
  .extend({
    name: z.string().trim(),
    prompt: z.string().transform(emptyToNull).pipe(updateIdentityProviderBody.shape.prompt.unwrap()),
    default_role: z
      .string()
      .transform(emptyToNull)
      .pipe(updateIdentityProviderBody.shape.default_role.unwrap()),
  })
  .refine(({ domain }) => domain === '' || parseDomain(domain) !== null, {
    path: ['domain'],
    message: 'Please enter a domain such as example.com',
  })
  .transform(({ name, client_secret: secret, domain, ...body }) => ({
    domain: emptyToNull(domain),
    body: { ...body, ...(name !== '' && { name }), ...(secret !== '' && { client_secret: secret }) },
  }));

/** Returns the form's values; the domain is offered with a new provider. */
export function toValues(provider: IdentityProvider | null, domain: string): ProviderValues {
  return {
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
    domain,
    name: provider?.name ?? '',
    scopes: provider?.scopes ?? 'openid email profile',
    prompt: provider?.prompt ?? '',
    trusts_emails: provider?.trusts_emails ?? false,
    is_enabled: provider?.is_enabled ?? true,
    is_shared: provider?.is_shared ?? false,
    group_claim: provider?.group_claim ?? 'groups',
    default_role: provider ? (provider.default_role ?? '') : 'user',
    mapping: provider?.mapping ?? [],
  };
}
