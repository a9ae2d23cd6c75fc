import { Button } from '@mantine/core';
import type { AccessExplanation } from '@sluice/contract';
import { RefreshIcon } from '../../components/ui/action-icons.ts';
import { Notice } from '../../components/ui/notice.tsx';
import { StatusShape } from '../../components/ui/status-mark.tsx';
import styles from './explanation.module.css';

type Rule = AccessExplanation['rules'][number];

const ruleNames: Record<Rule['name'], string> = {
  user: 'User',
  task: 'Task',
  tenant: 'Tenant',
  model: 'Model',
  blacklist: 'Blacklist',
  grant: 'Grant',
  provider: 'Provider',
  limits: 'Limits',
};

const outcomes = {
  passes: { kind: 'ok', word: 'passes' },
  refuses: { kind: 'bad', word: 'refuses' },
  not_asked: { kind: 'off', word: 'not asked' },
} as const;

interface ExplanationProps {
  explanation: AccessExplanation;
  userName: string;
  isStale: boolean;
  onAskAgain: () => void;
}

/** Verdict, and the chain of rules with the deciding one. */
export function Explanation({ explanation, userName, isStale, onAskAgain }: ExplanationProps) {
  const { is_allowed, model, rules, error_code } = explanation;
  return (
    <section aria-label="Explanation" aria-busy={isStale} aria-live="polite">
      <Notice
        kind={is_allowed ? 'ok' : 'bad'}
        title={
          <strong>
            {userName} {is_allowed ? 'may' : 'may not'} use <code>{model}</code>
          </strong>
        }
      >
        {error_code !== null && (
          <>
            The gate would answer <code>{error_code}</code>
          </>
        )}
      </Notice>
      <ol className={styles.chain}>
        {rules.map((rule) => (
          <RuleStep key={rule.name} rule={rule} />
        ))}
      </ol>
      <Button
        variant="default"
        leftSection={<RefreshIcon size={14} strokeWidth={1.5} aria-hidden />}
        onClick={onAskAgain}
      >
        Ask again
      </Button>
    </section>
  );
}

function RuleStep({ rule: { name, outcome, detail } }: { rule: Rule }) {
  const { kind, word } = outcomes[outcome];
  return (
    <li className={styles.rule} data-outcome={outcome} aria-current={outcome === 'refuses' || undefined}>
      <span className={styles.shape}>
        <StatusShape kind={kind} />
      </span>
      <div>
        <div className={styles.head}>
          <span className={styles.name}>{ruleNames[name]}</span>
          <span className={styles.outcome}>{outcome === 'refuses' ? 'decides: refuses' : word}</span>
        </div>
        {detail !== '' && <p className={styles.detail}>{detail}</p>}
      </div>
    </li>
  );
}
