import { CircleSlash2, Code, FileText, FlaskConical, type LucideIcon, Search } from 'lucide-react';
import { formatLabel } from '../../lib/format-label.ts';
import { Badge } from './badge.tsx';
import styles from './intent-badge.module.css';

const icons: Readonly<Record<string, LucideIcon>> = {
  coding: Code,
  testing: FlaskConical,
  documentation: FileText,
  research: Search,
  off_topic: CircleSlash2,
};

/** Intent of a request. Each of the classifier's five intents has its own icon and color. */
export function IntentBadge({ intent }: { intent: string }) {
  const Icon = icons[intent];
  return (
    <Badge tone={intent === 'off_topic' ? 'warn' : 'neutral'}>
      {Icon && <Icon className={styles[intent]} size={12} strokeWidth={2} aria-hidden />}
      {formatLabel(intent)}
    </Badge>
  );
}
