# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
#
# Wraps _complete_fletch to complete `--option=value`, too. Bash splits this into three words, zsh into
# one; the functions above expect two.
function _fletch_completion() {
  local -a words
  local i word prefix='' current=0
  words=()
  for (( i = 0; i < ${#COMP_WORDS[@]}; i++ )); do
    word=${COMP_WORDS[i]}
    if [[ "$word" == '=' && i -gt 0 && "${COMP_WORDS[i-1]}" == --* ]]; then
      # The value is the next word, or still empty.
      if (( i == COMP_CWORD )); then words+=(''); fi
    elif [[ "$word" == --*=* ]]; then
      words+=("${word%%=*}" "${word#*=}")
      if (( i == COMP_CWORD )); then prefix=${word%%=*}=; fi
    else
      words+=("$word")
    fi
    if (( i == COMP_CWORD )); then current=$(( ${#words[@]} - 1 )); fi
  done
  COMP_WORDS=("${words[@]}")
  COMP_CWORD=$current

  _complete_fletch

  # The shell completes `--option=value` as one word, so results need the prefix again.
  for (( i = 0; i < ${#COMPREPLY[@]}; i++ )); do
    COMPREPLY[i]=$prefix${COMPREPLY[i]}
  done
  # The functions of commands with option values do not complete file names.
  if [[ -n "${BASH_VERSION:-}" && ${#COMPREPLY[@]} -eq 0 && "${COMP_WORDS[COMP_CWORD-1]}" != --column ]]; then
    type compopt &>/dev/null && compopt -o default
  fi
  return 0
}

complete -F _fletch_completion -o default fletch fletch.sh fletch.bash
