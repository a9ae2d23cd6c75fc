import { chartColors, entityColorOf, providerColorOf } from '#lib/chart-colors.ts';
import { InBothSchemes, Part, PartGroup } from './part.tsx';
import styles from './token-parts.module.css';

const surfaces = ['--bg', '--surface', '--raised', '--line', '--control'];
const words = ['--text', '--muted', '--faint', '--accent', '--ok', '--warn', '--bad'];
const providers = ['openai', 'anthropic', 'google', 'deepseek', 'mistral'];
const entities = ['user', 'team', 'service'];

export function TokenParts() {
  return (
    <PartGroup title="Tokens">
      <Part name="Surfaces and words">
        <InBothSchemes>
          {surfaces.map((name) => (
            <Swatch key={name} name={name.slice(2)} color={`var(${name})`} />
          ))}
          {words.map((name) => (
            <span key={name} style={{ color: `var(${name})` }}>
              {name.slice(2)}
            </span>
          ))}
        </InBothSchemes>
      </Part>
      <Part name="Chart cycle">
        <InBothSchemes>
          {chartColors.map((color, index) => (
            <Swatch key={color} name={String(index + 1)} color={color} />
          ))}
        </InBothSchemes>
      </Part>
      <Part name="Providers, entities">
        <InBothSchemes>
          {providers.map((key) => (
            <Swatch key={key} name={key} color={providerColorOf(key)} />
          ))}
          {entities.map((type) => (
            <Swatch key={type} name={type} color={entityColorOf(type)} />
          ))}
        </InBothSchemes>
      </Part>
    </PartGroup>
  );
}

function Swatch({ name, color }: { name: string; color: string }) {
  return (
    <span className={styles.swatch}>
      <span className={styles.color} style={{ background: color }} />
      {name}
    </span>
  );
}
