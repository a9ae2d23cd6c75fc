import {
  createIdentityProviderBody,
  type IdentityProvider,
  mappedRoles,
  parseDomain,
  updateIdentityProviderBody,
} from '@sluice/contract';
import { z } from 'zod';

/** The form edits the contract's two maps as one list. */
export interface MappedValue {
  value: string;
  role: 'user' | 'admin' | null;
  team: string | null;
}

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
  email_domains: string;
  role_claim: string;
  team_claim: string;
  default_role: string;
  creates_users: boolean;
  mapping: MappedValue[];
}

const emptyToNull = (text: string) => (text === '' ? null : text);

const mapping = z.array(
  z.object({
    value: z.string().trim().min(1, 'A value is required').max(256, 'A value must be at most 256 characters'),
    role: z.enum(mappedRoles).nullable(),
    team: z.string().nullable(),
  }),
);

/** Converts the rules to the contract's role map and team map. */
const toMaps = (rules: z.output<typeof mapping>) => ({
  role_map: Object.fromEntries(rules.flatMap(({ value, role }) => (role === null ? [] : [[value, role]]))),
  team_map: Object.fromEntries(rules.flatMap(({ value, team }) => (team === null ? [] : [[value, team]]))),
});

function toRules({ role_map: roles, team_map: teams }: IdentityProvider): MappedValue[] {
  const values = new Set([...Object.keys(roles), ...Object.keys(teams)]);
  return [...values].map((value) => ({ value, role: roles[value] ?? null, team: teams[value] ?? null }));
}

const {
  email_domains: domains,
  role_claim,
  team_claim,
  prompt,
  default_role,
} = updateIdentityProviderBody.shape;

const splitWords = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '');

/** Validates the provider form and converts it to the request body. */
export const providerForm = z
  .object({
    ...createIdentityProviderBody.omit({ role_map: true, team_map: true }).shape,
    client_secret: z.string().trim(),
    domain: z.string().trim(),
  })
  .extend({
    name: z.string().trim(),
    prompt: z.string().transform(emptyToNull).pipe(prompt.unwrap()),
    email_domains: z.string().transform(splitWords).pipe(domains.unwrap()),
    role_claim: z.string().transform(emptyToNull).pipe(role_claim.unwrap()),
    team_claim: z.string().transform(emptyToNull).pipe(team_claim.unwrap()),
    default_role: z.string().transform(emptyToNull).pipe(default_role.unwrap()),
    mapping,
  })
  .refine(({ domain }) => domain === '' || parseDomain(domain) !== null, {
    path: ['domain'],
    message: 'Please enter a domain such as example.com',
  })
  .transform(({ name, client_secret: secret, domain, mapping: rules, ...body }) => ({
    domain: emptyToNull(domain),
    body: {
      ...body,
      ...toMaps(rules),
      ...(name !== '' && { name }),
      ...(secret !== '' && { client_secret: secret }),
    },
  }));

/** `domain` is suggested for a new provider. */
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
    email_domains: provider?.email_domains.join(', ') ?? '',
    role_claim: provider ? (provider.role_claim ?? '') : 'groups',
    team_claim: provider ? (provider.team_claim ?? '') : 'groups',
    default_role: provider ? (provider.default_role ?? '') : 'user',
    creates_users: provider?.creates_users ?? true,
    mapping: provider ? toRules(provider) : [],
  };
}
