import { NumberField } from '#components/forms/number-field.tsx';
import styles from './quota-fields.module.css';

/** The placeholders are specified without separators (accounts and conventions, User Management). */
const quotas = [
  { name: 'daily_quota', label: 'Daily quota', byDefault: '1000' },
  { name: 'monthly_quota', label: 'Monthly quota', byDefault: '30000' },
  { name: 'requests_per_hour', label: 'Requests per hour', byDefault: '100' },
] as const;

const meanings = {
  default: {
    emptyMeans: 'absent',
    placeholder: undefined,
    hint: 'Daily and monthly quotas count tokens; 1,000 are about 2 answers a day. An empty field uses the default from Settings.',
  },
  unlimited: {
    emptyMeans: 'unlimited',
    placeholder: 'Unlimited',
    hint: 'Daily and monthly quotas count tokens. Empty means unlimited, 0 allows nothing.',
  },
  everywhere: {
    emptyMeans: 'unlimited',
    placeholder: 'Unlimited',
    hint: 'Daily and monthly quotas count tokens; 1,000 are about 2 answers a day. Empty means unlimited.',
  },
  unchanged: {
    emptyMeans: 'absent',
    placeholder: 'No change',
    hint: 'Daily and monthly quotas count tokens. Empty fields keep their current values; 0 allows nothing.',
  },
} as const;

interface QuotaFieldsProps {
  bind: (name: (typeof quotas)[number]['name']) => object;
  /**
   * Meaning of an empty field: the default for new users (`default`), no limit (`unlimited`), no limit for new users
   * (`everywhere`), or no change (`unchanged`). Also selects the placeholder and the hint.
   */
  emptyMeans: keyof typeof meanings;
}

export function QuotaFields({ bind, emptyMeans }: QuotaFieldsProps) {
  const meaning = meanings[emptyMeans];
  return (
    <div>
      <div className={styles.quotas}>
        {quotas.map(({ name, label, byDefault }) => (
          <NumberField
            key={name}
            label={label}
            placeholder={meaning.placeholder ?? byDefault}
            emptyMeans={meaning.emptyMeans}
            {...bind(name)}
          />
        ))}
      </div>
      <p className={styles.hint}>{meaning.hint}</p>
    </div>
  );
}
