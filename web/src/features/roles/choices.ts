import type { Role } from '@sluice/contract';
import type { SelectOption } from '../../components/forms/select-field.tsx';
import { formatLabel } from '../../lib/format-label.ts';

/** Choices by the role's name, as an invitation names it; what cannot be given says why. */
export function describeInvitedRoles(roles: readonly Role[]): readonly SelectOption[] {
  return roles.map((role) => ({
    value: role.name,
    label: isLimitReached(role) ? `${labelOf(role)} (Limit reached)` : labelOf(role),
    isDisabled: !role.can_assign,
    note: role.can_assign || isLimitReached(role) ? undefined : 'Not permitted',
  }));
}

/** What a role field offers; the role that somebody has can be kept even where it could not be given. */
export function describeRoleChoices(
  roles: readonly Role[],
  held?: Pick<Role, 'id' | 'name'>,
): readonly SelectOption[] {
  const choices = roles.map((role) => {
    const isDisabled = !role.can_assign && role.id !== held?.id;
    const obstacle = isLimitReached(role) ? 'Limit reached' : 'Not permitted';
    return { value: role.id, label: labelOf(role), isDisabled, note: isDisabled ? obstacle : undefined };
  });
  const isHeldListed = held === undefined || roles.some(({ id }) => id === held.id);
  return isHeldListed
    ? choices
    : [...choices, { value: held.id, label: formatLabel(held.name), isDisabled: false }];
}

/** Whether the tenant may have no more active people of a role. */
export function isLimitReached({ limit }: Pick<Role, 'limit'>): boolean {
  return limit !== undefined && limit.taken >= limit.allowed;
}

/** A limit that is reached, in words: what it stops, how much of what is taken, and who can change it. */
export interface ReachedLimit {
  readonly role: Role['name'];
  readonly title: string;
  readonly figures: string;
  readonly remedy: 'upgrade' | 'ask' | 'set';
}

/**
 * The limits that are reached. That of administrators is always told (specification 1); any other not to who holds the role.
 */
export function listReachedLimits(
  roles: readonly Role[],
  held?: Pick<Role, 'id' | 'name'>,
): readonly ReachedLimit[] {
  const isOperator = roles.some(({ name, can_assign }) => name === 'super_admin' && can_assign);
  return roles.flatMap(({ name, limit }) => {
    if (limit === undefined || !isLimitReached({ limit })) return [];
    if (name !== 'admin' && name === held?.name) return [];
    const remedy = limit.plan === null ? 'ask' : 'upgrade';
    const by = limit.plan === null ? 'of this tenant' : `on the plan ${limit.plan}`;
    return {
      role: name,
      title: `${formatLabel(name)} limit reached. Upgrade your plan to create more ${name}s.`,
      figures: `${limit.taken} of ${limit.allowed} ${name}s ${by} are taken.`,
      remedy: isOperator ? 'set' : remedy,
    } as const;
  });
}

/** `User`, and of administrators, whom a plan may cap, how many there are of how many: `Admin (2/3)`. */
function labelOf({ name, current_count: current, max_allowed: max }: Role): string {
  const label = formatLabel(name);
  return current === undefined || typeof max !== 'number' ? label : `${label} (${current}/${max})`;
}
