import type { Role } from '@sluice/contract';
import type { SelectOption } from '../../components/forms/select-field.tsx';
import { formatLabel } from '../../lib/format-label.ts';

/** Returns choices with role names as values, for invitations. Disabled ones state the reason. */
export function describeInvitedRoles(roles: readonly Role[]): readonly SelectOption[] {
  return roles.map((role) => ({
    value: role.name,
    label: isLimitReached(role) ? `${labelOf(role)} (Limit reached)` : labelOf(role),
    isDisabled: !role.can_assign,
    note: role.can_assign || isLimitReached(role) ? undefined : 'Not permitted',
  }));
}

/** Returns the options of a role field. The current role can be kept even if it could not be given now. */
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

/** Whether the tenant has reached its limit of active users with a role. */
export function isLimitReached({ limit }: Pick<Role, 'limit'>): boolean {
  return limit !== undefined && limit.taken >= limit.allowed;
}

/** Description of a reached limit: what it prevents, usage and limit, and who can raise it. */
export interface ReachedLimit {
  readonly role: Role['name'];
  readonly title: string;
  readonly figures: string;
  readonly remedy: 'upgrade' | 'ask' | 'set';
}

/**
 * Returns the reached limits. That of administrators is always included (specification 1), others not for holders of the role.
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

/** Returns `User`, or for limited roles the name with usage and limit: `Admin (2/3)`. */
function labelOf({ name, current_count: current, max_allowed: max }: Role): string {
  const label = formatLabel(name);
  return current === undefined || typeof max !== 'number' ? label : `${label} (${current}/${max})`;
}
