/** Makes the calls of an object visible, so that a test can fail or cut off any of them. */

/** A step about to be taken (`before adopt`) or just taken (`after adopt`), which waits for what comes back; throwing makes it fail. */
export type OnStep = (step: string, parameters: readonly unknown[]) => void | Promise<void>;

/** The same object, whose named asynchronous methods announce themselves. */
export function stepping<T extends object>(target: T, methods: readonly (keyof T & string)[], onStep: OnStep): T {
  return new Proxy(target, {
    get(object, property) {
      const method = Reflect.get(object, property, object) as unknown;
      if (typeof method !== 'function') {
        return method;
      }
      if (!methods.includes(property as keyof T & string)) {
        return method.bind(object) as unknown;
      }
      return async (...parameters: unknown[]) => {
        await onStep(`before ${String(property)}`, parameters);
        const result = (await method.apply(object, parameters)) as unknown;
        await onStep(`after ${String(property)}`, parameters);
        return result;
      };
    },
  });
}
