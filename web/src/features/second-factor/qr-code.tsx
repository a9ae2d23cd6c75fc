import { generate } from 'lean-qr';
import styles from './qr-code.module.css';

/** Width of the light border in modules. Scanners need the border. */
const border = 4;

/** Modules are dark on light in both themes, because scanners expect dark modules. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text);
  const rows = Array.from({ length: code.size }, (_, row) => row);
  const path = rows
    .flatMap((y) => rows.filter((x) => code.get(x, y)).map((x) => `M${x} ${y}h1v1h-1z`))
    .join('');
  const size = code.size + 2 * border;
  return (
    <svg
      className={styles.code}
      viewBox={`${-border} ${-border} ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect className={styles.light} x={-border} y={-border} width={size} height={size} />
      <path className={styles.dark} d={path} />
    </svg>
  );
}
