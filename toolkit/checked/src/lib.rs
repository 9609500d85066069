//! The arithmetic of a kernel's conditions, through functions that tell overflow.
//!
//! Whether Rust's own operators tell it depends on the profile that the crate with the kernel is compiled with, and a launch
//! must not.

use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// The expression of `checked!([functions] [overflow] expression)`, where `a + b` is `functions::add(overflow, a, b)`. The other
/// functions are `sub`, `mul` and `shl`, and the remaining operators stay as they are. So do the arguments of macros.
#[proc_macro]
pub fn checked(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let mut bracketed = || match input.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        other => panic!("two groups stand before the expression, not {other:?}"),
    };
    let rewriter = Rewriter { functions: bracketed(), overflow: bracketed() };
    rewriter.rewritten(input.collect())
}

/// A binary operator that is an expression with what stands on both sides, and how tightly it binds.
struct Operator {
    tokens: Vec<TokenTree>,
    /// The function that stands for it, if one does.
    function: Option<&'static str>,
    binds: u8,
}

/// What stands before an operator, and the operator.
type Pending = (Vec<TokenTree>, Operator);

struct Rewriter {
    functions: TokenStream,
    overflow: TokenStream,
}

impl Rewriter {
    fn rewritten(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        // What is done, the operators that wait for their right side, and the operand that is being read.
        let (mut done, mut pending, mut operand) = (Vec::new(), Vec::<Pending>::new(), Vec::new());
        while let Some(token) = tokens.next() {
            let next = tokens.peek();
            let has_left = operand.last().is_some_and(ends_operand);
            match token {
                TokenTree::Group(group) => {
                    let is_block = group.delimiter() == Delimiter::Brace;
                    operand.push(self.group(group));
                    if is_block {
                        self.finish(&mut done, &mut pending, &mut operand);
                    }
                }
                TokenTree::Ident(word) if begins_expression(&word) => {
                    self.finish(&mut done, &mut pending, &mut operand);
                    done.push(word.into());
                }
                // The arguments of a macro are its own.
                TokenTree::Punct(mark) if mark == '!' && has_left && !is_punct(next, '=') => {
                    operand.push(mark.into());
                    operand.extend(tokens.next());
                }
                TokenTree::Punct(mark) if is_path_mark(&mark, next) => {
                    operand.push(mark.into());
                    operand.extend(tokens.next());
                    if is_punct(tokens.peek(), '<') {
                        operand.extend(generic_arguments(&mut tokens, 0));
                    }
                }
                TokenTree::Punct(mark) if mark == '<' && operand.is_empty() => {
                    operand.push(mark.into());
                    operand.extend(generic_arguments(&mut tokens, 1));
                }
                TokenTree::Punct(mark) if is_separator(&mark, next, has_left) => {
                    self.finish(&mut done, &mut pending, &mut operand);
                    done.push(mark.into());
                    while let Some(rest) = tokens.next_if(|next| continues(done.last(), next)) {
                        done.push(rest);
                    }
                }
                TokenTree::Punct(mark) if has_left && operator(&mark).is_some() => {
                    let mut operator = operator(&mark).expect("it is one");
                    if operator.binds == SHIFT {
                        operator.tokens.extend(tokens.next());
                    }
                    self.fold(&mut pending, &mut operand, operator.binds);
                    pending.push((std::mem::take(&mut operand), operator));
                }
                token => operand.push(token),
            }
        }
        self.finish(&mut done, &mut pending, &mut operand);
        done.into_iter().collect()
    }

    /// A group with its content rewritten.
    fn group(&self, group: Group) -> TokenTree {
        let mut rewritten = Group::new(group.delimiter(), self.rewritten(group.stream()));
        rewritten.set_span(group.span());
        rewritten.into()
    }

    /// Applies the pending operators that bind as tightly as `binds` or more.
    fn fold(&self, pending: &mut Vec<Pending>, operand: &mut Vec<TokenTree>, binds: u8) {
        while let Some((left, operator)) = pending.pop_if(|(_, operator)| operator.binds >= binds) {
            let right = std::mem::take(operand);
            *operand = self.applied(left, operator, right);
        }
    }

    /// Applies all pending operators: the operand ends here.
    fn finish(
        &self,
        done: &mut Vec<TokenTree>,
        pending: &mut Vec<Pending>,
        operand: &mut Vec<TokenTree>,
    ) {
        self.fold(pending, operand, 0);
        done.append(operand);
    }

    fn applied(
        &self,
        left: Vec<TokenTree>,
        operator: Operator,
        right: Vec<TokenTree>,
    ) -> Vec<TokenTree> {
        let span = operator.tokens[0].span().resolved_at(Span::call_site());
        let Some(function) = operator.function else {
            let all = left.into_iter().chain(operator.tokens).chain(right).collect();
            return vec![Group::new(Delimiter::Parenthesis, all).into()];
        };
        let mut tokens: Vec<TokenTree> = self.functions.clone().into_iter().collect();
        tokens.push(Punct::new(':', Spacing::Joint).into());
        tokens.push(Punct::new(':', Spacing::Alone).into());
        tokens.push(Ident::new(function, span).into());
        let comma = || [TokenTree::from(Punct::new(',', Spacing::Alone))];
        let overflow = self.overflow.clone().into_iter().chain(comma());
        let arguments = overflow.chain(left).chain(comma()).chain(right).collect();
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
        arguments.set_span(span);
        tokens.push(arguments.into());
        tokens
    }
}

fn is_punct(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if *punct == mark)
}

/// Whether it is the first mark of two that stand together, the second being `second`.
fn is_pair(mark: &Punct, next: Option<&TokenTree>, second: char) -> bool {
    mark.spacing() == Spacing::Joint && is_punct(next, second)
}

fn is_path_mark(mark: &Punct, next: Option<&TokenTree>) -> bool {
    *mark == ':' && is_pair(mark, next, ':')
}

/// Whether an operand may end with the token, so that an operator behind it is binary.
fn ends_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(mark) => *mark == '?',
        TokenTree::Ident(word) => word.to_string() != "as",
        _ => true,
    }
}

/// Whether an expression of its own begins behind the word.
fn begins_expression(word: &Ident) -> bool {
    ["if", "else", "match", "let", "return", "move"].contains(&word.to_string().as_str())
}

/// How tightly shifts bind.
const SHIFT: u8 = 1;

/// The arithmetic operator that begins with a mark, where an operand ends before it.
fn operator(mark: &Punct) -> Option<Operator> {
    let (function, binds) = match mark.as_char() {
        '*' => (Some("mul"), 3),
        '/' | '%' => (None, 3),
        '+' => (Some("add"), 2),
        '-' => (Some("sub"), 2),
        '<' => (Some("shl"), SHIFT),
        '>' => (None, SHIFT),
        _ => return None,
    };
    Some(Operator { tokens: vec![mark.clone().into()], function, binds })
}

/// Whether a mark begins what separates operands and binds less tightly than arithmetic does.
fn is_separator(mark: &Punct, next: Option<&TokenTree>, has_left: bool) -> bool {
    match mark.as_char() {
        '=' | '|' | '^' | ',' | ';' | ':' => true,
        '.' => is_pair(mark, next, '.'),
        '<' => !(has_left && is_pair(mark, next, '<')),
        '>' => !(has_left && is_pair(mark, next, '>')),
        '!' | '&' => has_left,
        '-' => is_pair(mark, next, '>'),
        _ => false,
    }
}

/// Whether a mark is a further one of a separator of several.
fn continues(separator: Option<&TokenTree>, next: &TokenTree) -> bool {
    let is_joint = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.spacing() == Spacing::Joint);
    separator.is_some_and(is_joint)
        && ['=', '|', '&', '.', '>'].iter().any(|&mark| is_punct(Some(next), mark))
}

/// The tokens up to the `>` that ends generic arguments, of which `depth` were opened before.
fn generic_arguments(
    tokens: &mut impl Iterator<Item = TokenTree>,
    mut depth: i32,
) -> Vec<TokenTree> {
    let mut taken = Vec::new();
    for token in tokens {
        depth += i32::from(is_punct(Some(&token), '<')) - i32::from(is_punct(Some(&token), '>'));
        taken.push(token);
        if depth <= 0 {
            break;
        }
    }
    taken
}
