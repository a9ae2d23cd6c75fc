import ts from 'typescript';

export interface LongFunction {
  readonly name: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly lineCount: number;
}

// `describeClient` and its like are tables of tests as well.
const suites = /^(?:describe\w*|it|test)\b/;

/** The functions of a source file that have more lines than `max`; those that hold or are tests may be as long as they are. */
export function findLongFunctions(file: string, text: string, max: number): LongFunction[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: LongFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && !isTest(node)) {
      const line = lineOf(node.getStart());
      const lineCount = lineOf(node.end) - line + 1;
      if (lineCount > max) found.push({ name: nameOf(node), line, lineCount });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isTest = ({ parent }: ts.Node) =>
  ts.isCallExpression(parent) && suites.test(parent.expression.getText());

/** Its own, or that of what it is the value of. */
function nameOf({ name, parent }: ts.SignatureDeclaration): string {
  const named = name ?? ('name' in parent ? (parent.name as ts.Node | undefined) : undefined);
  return named?.getText() ?? 'a function';
}
