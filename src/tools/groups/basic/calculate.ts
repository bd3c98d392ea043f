import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool } from '../../contract/types.ts';
import { defineTool, READ_FREELY, textArgument } from '../../util/define.ts';
import { lazyPart } from '../../util/lazy.ts';

/** Not needed to offer the tool: a separate file. */
const loadEvaluation = lazyPart(async () => (await import('./expression.ts')).evaluateExpression);

export const CALCULATE = {
  name: 'calculate',
  kind: 'other',
  icon: 'iconMarginaliaTools',
  subject: ['expression'],
  examples: [{ expression: '1250 * 1.21' }],
} as const satisfies ToolInfo;

export function createCalculate(): Tool {
  return defineTool({
    name: CALCULATE.name,
    description:
      'Calculate an expression: + - * / ^ %, brackets, pi, e, and functions such as round sqrt log sum avg min max sin (radians).',
    properties: { expression: { type: 'string', minLength: 1, maxLength: 2000, description: 'e.g. round(1250 * 1.21 / 12, 2)' } },
    required: ['expression'],
    ...READ_FREELY,
    publicResult: true,
    SKIP_CACHE_RESULT: true,
    declaredReturnType: { type: 'number' },
    execute: async (args) => {
      const evaluateExpression = await loadEvaluation();
      const value = evaluateExpression(textArgument(args, 'expression') ?? '');
      return { status: 'success', data: formatNumber(value), trusted: true };
    },
  });
}

/** 15 digits, which doubles represent exactly: 0.1 + 0.2 gives 0.3. Notes if an integer is no longer exact. */
export function formatNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
  const text = String(Number(value.toPrecision(15)));
  return Number.isInteger(value) ? `${text} (15 digits are exact)` : text;
}
