import { CircleSlash2, Code, FileText, FlaskConical, type LucideIcon, Search } from 'lucide-react';
import styles from './intent-badge.module.css';

const icons: Readonly<Record<string, LucideIcon>> = {
  coding: Code,
  testing: FlaskConical,
  documentation: FileText,
  research: Search,
  off_topic: CircleSlash2,
};

/** What a request was for; the five intents of the classifier each have a sign and a colour, any other has neither. */
export function IntentBadge({ intent }: { intent: string }) {
  const Icon = icons[intent];
  return (
    <span className={`${styles.badge} ${Icon ? styles[intent] : ''}`}>
      {Icon && <Icon size={12} strokeWidth={2} aria-hidden />}
      {intent}
    </span>
  );
}
