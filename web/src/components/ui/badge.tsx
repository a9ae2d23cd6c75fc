import { CircleSlash2, Code, FileText, FlaskConical, type LucideIcon, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatLabel } from '#lib/format-label.ts';
import styles from './badge.module.css';
import intentBadgeStyles from './intent-badge.module.css';

interface BadgeProps {
  tone?: 'neutral' | 'accent' | 'warn';
  children: ReactNode;
}

/** Badges are less prominent than a status. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}

const icons: Readonly<Record<string, LucideIcon>> = {
  coding: Code,
  testing: FlaskConical,
  documentation: FileText,
  research: Search,
  off_topic: CircleSlash2,
};

/** Each of the classifier's five intents has its own icon and color. */
export function IntentBadge({ intent }: { intent: string }) {
  const Icon = icons[intent];
  return (
    <Badge tone={intent === 'off_topic' ? 'warn' : 'neutral'}>
      {Icon && <Icon className={intentBadgeStyles[intent]} size={12} strokeWidth={2} aria-hidden />}
      {formatLabel(intent)}
    </Badge>
  );
}

const labels: Readonly<Record<string, { text: string; tone: 'neutral' | 'accent' }>> = {
  super_admin: { text: 'Super admin', tone: 'accent' },
  admin: { text: 'Admin', tone: 'accent' },
  user: { text: 'User', tone: 'neutral' },
  member: { text: 'Member', tone: 'neutral' },
};

export function RoleBadge({ name }: { name: string }) {
  const { text, tone } = labels[name] ?? { text: name, tone: 'neutral' };
  return <Badge tone={tone}>{text}</Badge>;
}
