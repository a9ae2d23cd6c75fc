import { Badge } from './badge.tsx';

const labels: Readonly<Record<string, { text: string; tone: 'neutral' | 'accent' }>> = {
  super_admin: { text: 'Super admin', tone: 'accent' },
  admin: { text: 'Admin', tone: 'accent' },
  user: { text: 'User', tone: 'neutral' },
  member: { text: 'Member', tone: 'neutral' },
};

/** A role in the tenant or in a team. */
export function RoleBadge({ name }: { name: string }) {
  const { text, tone } = labels[name] ?? { text: name, tone: 'neutral' };
  return <Badge tone={tone}>{text}</Badge>;
}
